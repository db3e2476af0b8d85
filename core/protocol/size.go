package protocol

// overhead is about what a notification costs besides its text: names, IDs and
// punctuation.
const overhead = 256

// Size is about the length of n as JSON, of what is kept of it, for a bound on
// what is buffered (HIS-8).
func Size(n Notification) int {
	switch n := n.(type) {
	case Delta:
		return overhead + len(n.Text)
	case ItemStarted:
		return overhead + itemSize(n.Item)
	case ItemCompleted:
		return overhead + itemSize(n.Item)
	case PatchUpdated:
		return overhead + changesSize(n.Changes)
	case TurnStarted:
		return overhead + turnSize(n.Turn)
	case TurnCompleted:
		return overhead + turnSize(n.Turn)
	case TurnDiffUpdated:
		return overhead + len(n.Diff)
	case TurnPlanUpdated:
		size := overhead + len(n.Explanation)
		for _, s := range n.Steps {
			size += overhead/4 + len(s.Step)
		}
		return size
	case ThreadStarted:
		size := 4*overhead + len(n.Of.Preview) + len(n.Of.Name) + len(n.Of.Cwd) + len(n.Of.Path)
		for _, t := range n.Of.Turns {
			size += turnSize(t)
		}
		return size
	case TurnErrored:
		return overhead + len(n.Error.Message) + len(n.Error.Details)
	case ToolProgress:
		return overhead + len(n.Message)
	case Warning:
		return overhead + len(n.Message)
	case ConfigWarning:
		return overhead + len(n.Summary) + len(n.Details) + len(n.Path)
	case DeprecationNotice:
		return overhead + len(n.Summary) + len(n.Details)
	case ThreadNameUpdated:
		return overhead + len(n.Name)
	case ThreadStatusChanged, ThreadArchived, ThreadUnarchived, ThreadDeleted, ThreadClosed, ThreadReverted,
		AttachmentUpdated, QueueChanged, SettingsUpdated, TokenUsageUpdated, Compacted, ModelRerouted,
		RequestResolved, ReasoningPartAdded, AccountUpdated, LoginCompleted, RateLimitsUpdated,
		SkillsChanged, Unknown:
		return 2 * overhead
	}
	return overhead
}

func itemSize(it Item) int { return overhead + PlainLen(it) }

func turnSize(t Turn) int {
	size := overhead
	for _, it := range t.Items {
		size += itemSize(it)
	}
	if t.Error != nil {
		size += len(t.Error.Message) + len(t.Error.Details)
	}
	return size
}

func changesSize(list []FileUpdate) (size int) {
	for _, u := range list {
		size += overhead/4 + len(u.Path) + len(u.Diff)
	}
	return size
}
