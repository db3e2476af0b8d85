package transport

import (
	"context"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// attributes gives the child a group of its own and no console window.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
}

// terminate does nothing: Windows has no signal that asks. The end of stdin has
// asked, and the job object ends who does not listen.
func terminate(*os.Process) {}

// A guard is a job object that ends every process in it when its last handle
// closes, which the system does for us if we die (ruling 41).
type guard struct{ job windows.Handle }

func newGuard(_ context.Context, child *os.Process, _ time.Duration) guard {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return guard{}
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, uint32(child.Pid))
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return guard{}
	}
	return guard{job: job}
}

func assign(job windows.Handle, pid uint32) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return windows.AssignProcessToJobObject(job, h)
}

// killAll kills the child and what is in its job.
func (g guard) killAll(p *os.Process) {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	_ = p.Kill()
}

// close ends what is left in the job of a child that is gone.
func (g guard) close(int) {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}
