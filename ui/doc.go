// Package ui is the window: it turns snapshots of the session into what the
// widgets show, and what the user does into intents. It owns the Tab order, the
// keys, the dialogs and the words of every state; it decides nothing about the
// conversation and never shows server text except through safetext.
//
// Publish may be called from any goroutine. A snapshot is prepared off the
// window's goroutine, newest first, and crosses in one post.
//
// # Decisions
//
// 2026-11-30: the order of the root's objects is the Tab order, and one layout
// places them. Instead of: nested containers. Because Fyne walks the tree, and
// a border layout puts its centre first.
//
// 2026-11-30: one table of commands holds every key, label and action. Instead
// of: shortcuts where they are used. Because the keys window, the buttons, the
// commands list and the listeners then cannot differ (UI-2).
//
// 2026-11-30: every change of the message goes to the core at once, by the name
// of its conversation. Instead of: after a pause. Because a switch of the
// conversation or a loss then finds the text where it belongs.
//
// 2026-11-30: from Send until the core took the text, what is typed is kept
// back, and joined to what the core then says. Instead of: clearing the entry
// at the key. Because a refused message must still be there.
//
// 2026-11-30: rows are made by one worker at a time with a cache by row.
// Instead of: on the window's goroutine. Because a page of Markdown costs more
// than a frame.
//
// 2026-11-30: in a narrow window the list takes the whole window, and what it
// covers is hidden. Instead of: an overlay. Because hidden widgets leave the Tab
// order by themselves.
//
// 2026-11-30: cards stand between the transcript and the message. Instead of:
// inside the raster. Because they hold real buttons and fields, which must be
// in the Tab order.
//
// 2026-11-30: what was sent and is not in the history yet is a row at the end,
// from the ledger. Instead of: a made-up history row. Because only the server
// says what is history.
//
// 2026-11-30: the list of attachments follows the snapshots while it is open.
// Instead of: a picture of the moment, as other dialogs are. Because its own
// Refresh changes it.
// 2026-11-30: text that is typed carries the revision it was typed onto, and
// where the core wrote meanwhile it joins both. Instead of: the last write wins.
// Because a key at the moment of a loss or a refusal may be neither lost nor
// doubled.
//
// 2026-11-30: a draft is restored by asking the core without a mode first; its
// refusal opens the question where. Instead of: looking at the entry. Because
// the core alone knows what the message holds by then.
//
// 2026-11-30: rows keep their keys over a loss, until the next selection.
// Instead of: new keys with each connection. Because what is read must not jump
// while the window reconnects.
//
// 2026-11-30: a line about the state that holds goes with that state; what a
// refusal says stays until it is dismissed. Instead of: dismissing all by hand.
// Because a line that is no longer true is a false one.
//
// 2026-11-30: what the list of conversations shows of each is made once, and
// found by its ID. Instead of making all rows with each key in the filter,
// because 10,000 of them cost more than a frame.
//
// 2026-11-30: the list asks for its next page when the user scrolls or moves to
// its end, not when the end happens to be in view (ruling 10). Because a filter
// that leaves few rows would otherwise read the whole list.
//
// 2026-11-30: a row that was shortened is shown whole in parts of 64 KiB, of
// which 4 MiB are held; what lies beyond is read from the server again. Instead
// of holding the text, because its length is the server's to choose; instead of
// a file of ours, because text becomes a file only where the user says.
//
// 2026-11-30: what the window's own code panics in is caught where it is posted,
// prepared or run by a key. Instead of: letting the program end. Because typed
// text lives in memory only.
//
// 2026-11-30: the bar searches what is loaded, and says so. Instead of: loading
// all of the conversation. Because nothing is asked of the server by itself.
//
// 2026-11-30: F3 restores a draft that waits; else it finds the next match.
// Instead of: another key for one of them. Because both are where people look
// for them, and a waiting draft's button names the key.
//
// 2026-11-30: a row copied as Markdown is what was written, made harmless.
// Instead of: Markdown made of what is shown. Because that loses what this
// program does not draw.
//
// 2026-11-30: a dialog of our own finds an image. Instead of: the toolkit's file
// dialog. Because that takes no Escape, and lets shortcuts through to the window.
//
// 2026-11-30: the queue's own button queues, and only while a turn runs. Instead
// of: a main button that sometimes does. Because it says Steer then, and what a
// key does must not depend on how fast a turn ends (UI-5).
//
// 2026-11-30: a file is named by its path in the text, as the word that was
// typed is. Instead of: an input of its own. Because the model reads the text,
// and what is seen is then what is sent.
//
// 2026-11-30: a profile in use that is edited is not applied by saving it; one
// is asked. Instead of: connecting anew at once. Because nothing reconnects to
// another target without a yes (REC-9). Unsaved edits are told to the core only
// while attempts run, which they end; a connection that is up loses nothing by
// an edit that may be cancelled.
//
// 2026-11-30: the fields of another kind of connection are hidden and keep what
// they hold. Instead of: emptying them. Because looking at another kind is no
// edit.
//
// 2026-11-30: to go back to an earlier message is asked about, and names what
// goes. Instead of: at a key. Because the server cuts for good.
//
// 2026-11-30: an export that is not whole is kept, and says so in the file and
// beside the transcript. Instead of: removing it. Because most of it is what one
// wanted, and a file that is silent about it would be a false one.
//
// 2026-11-30: without an account the window names the demonstration's command.
// Instead of: starting it. Because the window starts no process of its own.
package ui
