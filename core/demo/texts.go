package demo

const story = `The harbour master kept two books. In the first she wrote when the water was to come, as the tables said. In the second she wrote when it came.

For nineteen years the books agreed to the minute. Then, on a still night in March, the water came eleven minutes early, stood a hand's breadth over the mark, and went out again without a sound.

She wrote it down, and under it: *checked twice*.

Nobody asked for the second book until the winter, when a man from the survey office sat in her kitchen and turned the pages from the back. He stopped at March. "You are the only one," he said, "who did not correct it."`

const table = `The table has one line for each tide:

| Day | High water | Height |
|:----|-----------:|-------:|
| Monday | 05:12 | 4.9 m |
| Monday | 17:31 | 5.0 m |
| Tuesday | 05:58 | 4.8 m |

## Three things to know

1. Times are in **local** time, without summer time.
2. Heights are above the *lowest* tide of the year:
   - under 3 m the inner harbour is dry;
   - over 5 m the quay can be wet.
3. A line in italics is a forecast, not a measurement.

> The table is printed once a year. Corrections are on the harbour's board.

More is in the [handbook](https://example.com/tides).`

const code = "Read the heights once, then ask for an hour:\n\n" +
	"```go\n" +
	"for h := range 24 {\n" +
	"\tif m := tides.High(h); m > 4.5 {\n" +
	"\t\tslog.Info(\"high water\", \"hour\", h, \"metres\", m)\n" +
	"\t}\n" +
	"}\n" +
	"```\n\n" +
	"`High` panics when the hour is not in the day, so check it before."

const plan = `I read the folder first.

<proposed_plan>
# Safer tide tables

1. Check the hour in ` + "`High`" + ` and return an error.
2. Let the one caller show that error.
3. Test both ends of the day.
</proposed_plan>
`

const steps = `Three small steps:

1. **Read** the tide table once, at the start.
2. **Check** the hour before it is used.
3. **Test** both ends of the day.

Say "change a file" and I begin with the second.`

const addCheck = `*** Update File: tides.go
@@
-func High(h int) float64 {
-	return heights[h]
+func High(h int) (float64, error) {
+	if h < 0 || h >= len(heights) {
+		return 0, fmt.Errorf("hour %d is not in the day", h)
+	}
+	return heights[h], nil
 }`

const removeCheck = `*** Update File: tides.go
@@
-func High(h int) (float64, error) {
-	if h < 0 || h >= len(heights) {
-		return 0, fmt.Errorf("hour %d is not in the day", h)
-	}
-	return heights[h], nil
+func High(h int) float64 {
+	return heights[h]
 }`

const newTest = `*** Add File: tides_test.go
+package tides
+
+import "testing"
+
+func TestHighAtBothEnds(t *testing.T) {
+	for _, h := range []int{0, 23} {
+		if High(h) < 0 {
+			t.Errorf("hour %d is below the lowest tide", h)
+		}
+	}
+}`
