package drive

import (
	"flag"
	"fmt"
	"io"
)

// commandHelp says each command with its fields, and what it does.
var commandHelp = [][2]string{
	{`{"do":"threads","search":"…","archived":false,"more":true}`, "list the conversations anew, or more of them"},
	{`{"do":"select","thread":ID}`, "read a conversation without joining it"},
	{`{"do":"new","cwd":DIR,"model":"…","access":"read-only|workspace|full"}`, "begin a conversation, joined"},
	{`{"do":"join"}`, "join the selected conversation: sending needs that"},
	{`{"do":"draft","text":"…","images":[PATH],"model":"…","effort":"…"}`, "set what will be sent; also blocks, skill, tier, personality, access"},
	{`{"do":"send"}`, "send it; steer sends it into the running turn"},
	{`{"do":"steer"}`, ""},
	{`{"do":"stop"}`, "stop the running turn"},
	{`{"do":"answer","request":ID,"decision":"accept"}`, "answer a request; with answers:{ID:VALUE} where it asks questions"},
	{`{"do":"older"}`, "load a page of older rows; newer the other way"},
	{`{"do":"newer"}`, ""},
	{`{"do":"expand","turn":ID}`, "load the rest of a turn; fold hides it again"},
	{`{"do":"fold","turn":ID}`, ""},
	{`{"do":"row","turn":ID,"item":ID,"file":PATH}`, "the whole text of a row, here or into a new file"},
	{`{"do":"full"}`, "write every section and text"},
	{`{"do":"refresh"}`, "read the selected conversation anew"},
	{`{"do":"attachments"}`, "list the attachments anew"},
	{`{"do":"rename","thread":ID,"name":"…"}`, "also fork, archive, unarchive, delete: of thread, else of the selected one"},
	{`{"do":"fork","thread":ID,"turn":ID}`, ""},
	{`{"do":"archive","thread":ID}`, ""},
	{`{"do":"unarchive","thread":ID}`, ""},
	{`{"do":"delete","thread":ID}`, ""},
	{`{"do":"compact"}`, "compact the context"},
	{`{"do":"revert","turn":ID}`, "cut off a turn and all later ones; its message goes into the composer"},
	{`{"do":"retry"}`, "send the message of the newest turn, which failed, again"},
	{`{"do":"startReview","name":"uncommittedChanges|baseBranch|commit|custom","text":"…"}`, "begin a review as a turn"},
	{`{"do":"queue","op":"add|update|delete|reorder|start","entry":ID,"text":"…","before":ID}`, "the messages that wait for the turn's end"},
	{`{"do":"reconnect"}`, "also cancel and confirm, as actions allows"},
	{`{"do":"cancel"}`, ""},
	{`{"do":"confirm"}`, ""},
	{`{"do":"restore","draft":ID,"mode":"before|after|replace"}`, "take a recovery draft back; discard gives it up"},
	{`{"do":"discard","draft":ID}`, ""},
	{`{"do":"review","op":ID,"action":"restore|dismiss"}`, "decide about an uncertain operation"},
	{`{"do":"profile","action":"apply","profile":NAME}`, "go over to another profile; edited: look at the settings again"},
	{`{"do":"signIn","apiKey":"…"}`, "sign in; signOut signs out"},
	{`{"do":"signOut"}`, ""},
	{`{"do":"quit"}`, "end in order"},
}

// usage explains drive to somebody who has only the program.
func usage(w io.Writer, flags *flag.FlagSet) {
	_, _ = fmt.Fprint(w, `usage: holdfast drive [flags]

Drive is the product without a window. It reads one command a line from its input and writes one event a line: "hello"
first, a "snapshot" whenever something changed (the sections that changed), and "done" when a command is through, with
"ok" or a "code" and an "error". "actions" in a snapshot says what may be done now. "at":SEQ in a command ties it to what
that snapshot showed: it is refused when the view is another one by then.

commands:
`)
	for _, c := range commandHelp {
		_, _ = fmt.Fprintln(w, "  "+c[0])
		if c[1] != "" {
			_, _ = fmt.Fprintln(w, "      "+c[1])
		}
	}
	_, _ = fmt.Fprintln(w, "\nflags:")
	flags.PrintDefaults()
}
