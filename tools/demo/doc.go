// Command demo takes a tour of the demo where nobody can: it starts bin/holdfast demo on the display it is given, uses it by
// keyboard as a person would, and keeps a picture of each stage.
package main
