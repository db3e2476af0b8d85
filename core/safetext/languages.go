package safetext

import "strings"

// A language is what the lexer knows of one: enough to read it by, no more.
type language struct {
	line       []string // what begins a comment to the end of the line
	open, shut string   // around longer ones
	quotes     string   // what begins a string
	long       string   // those whose strings may have line breaks
	triple     bool     // three quotes begin a longer one
	anyCase    bool
	keywords   map[string]bool
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// curly is a language with C's comments.
func curly(quotes, long, keywords string) *language {
	return &language{line: []string{"//"}, open: "/*", shut: "*/", quotes: quotes, long: long, keywords: wordSet(keywords)}
}

// hashed is a language with the shell's comments.
func hashed(quotes, long, keywords string) *language {
	return &language{line: []string{"#"}, quotes: quotes, long: long, keywords: wordSet(keywords)}
}

const (
	cWords = "auto bool break case char const continue default do double else enum extern false float for goto if inline int " +
		"long nullptr NULL register return short signed sizeof static struct switch true typedef union unsigned void volatile while "
	cppWords = "class catch constexpr delete explicit friend namespace new noexcept operator override private protected public " +
		"template this throw try typename using virtual concept requires co_await co_return co_yield "
	javaWords = "abstract assert boolean break byte case catch char class continue default do double else enum extends false final " +
		"finally float for if implements import instanceof int interface long native new null package private protected public record " +
		"return sealed short static super switch synchronized this throw throws true try var void volatile while yield "
	jsWords = "async await break case catch class const continue debugger default delete do else export extends false finally for " +
		"from function get if import in instanceof let new null of return set static super switch this throw true try typeof " +
		"undefined var void while yield "
	tsWords = "abstract any as asserts bigint boolean declare enum implements infer interface is keyof module namespace never number " +
		"object override private protected public readonly satisfies string symbol type unique unknown "
)

var languages = map[string]*language{
	"go": curly("\"'`", "`", "any bool break byte case chan const continue default defer else error fallthrough false float64 for "+
		"func go goto if import int int64 interface iota map nil package range return rune select string struct switch true type uint uint64 var"),
	"c":          curly("\"'", "", cWords),
	"cpp":        curly("\"'", "", cWords+cppWords),
	"java":       curly("\"'", "", javaWords),
	"javascript": curly("\"'`", "`", jsWords),
	"typescript": curly("\"'`", "`", jsWords+tsWords),
	"csharp":     curly("\"'", "", javaWords+"as async await base bool checked decimal delegate event explicit foreach get implicit in internal is lock namespace object out override params readonly ref sbyte set string struct typeof uint ulong using virtual where"),
	"kotlin":     curly("\"'", "", javaWords+"as by companion data fun in init inner is object open out override reified suspend typealias val when where"),
	"swift":      curly("\"", "", "any as associatedtype async await break case catch class continue default defer do else enum extension fallthrough false for func guard if import in init inout internal is let nil open operator private protocol public repeat rethrows return self Self some static struct subscript super switch throw throws true try typealias var where while"),
	"rust":       curly("\"", "\"", "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while"),
	"php":        {line: []string{"//", "#"}, open: "/*", shut: "*/", quotes: "\"'", long: "\"'", keywords: wordSet(javaWords + "array as callable clone echo elseif empty endfor endforeach endif endwhile eval exit fn foreach function global include insteadof isset list match namespace print readonly require require_once self trait unset use")},
	"css":        {open: "/*", shut: "*/", quotes: "\"'", keywords: wordSet("important inherit initial none auto")},
	"python":     {line: []string{"#"}, quotes: "\"'", triple: true, keywords: wordSet("and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield")},
	"ruby":       hashed("\"'`", "\"'", "alias and begin BEGIN break case class def defined? do else elsif end END ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield"),
	"bash":       hashed("\"'`", "\"'", "case do done elif else esac exit export false fi for function if in local read return select set shift source then trap true unset until while"),
	"perl":       hashed("\"'", "", "and cmp else elsif eq for foreach ge gt if last le local lt my ne next no not or our package print redo ref return sub undef unless until use while"),
	"elixir":     hashed("\"", "\"", "after alias and case catch cond def defmodule defp do else end false fn for if import in nil not or quote raise receive require rescue true try unless use when with"),
	"yaml":       hashed("\"'", "", "true false null yes no on off"),
	"toml":       hashed("\"'", "", "true false"),
	"make":       hashed("", "", "define else endef endif export ifdef ifeq ifndef ifneq include override unexport"),
	"docker":     hashed("\"'", "", "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR"),
	"json":       {quotes: "\"", keywords: wordSet("true false null")},
	"sql":        {line: []string{"--"}, open: "/*", shut: "*/", quotes: "\"'", anyCase: true, keywords: wordSet("add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then true union unique update using values view when where with")},
	"lua":        {line: []string{"--"}, quotes: "\"'", keywords: wordSet("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")},
	"haskell":    {line: []string{"--"}, open: "{-", shut: "-}", quotes: "\"", keywords: wordSet("case class data default deriving do else foreign if import in infix infixl infixr instance let module newtype of then type where")},
	"html":       {open: "<!--", shut: "-->", quotes: "\""},
}

var aliases = map[string]string{
	"golang": "go", "h": "c", "c++": "cpp", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "objective-c": "c", "objc": "c",
	"js": "javascript", "jsx": "javascript", "mjs": "javascript", "node": "javascript", "ts": "typescript", "tsx": "typescript",
	"c#": "csharp", "cs": "csharp", "kt": "kotlin", "kts": "kotlin", "scala": "kotlin", "dart": "java", "rs": "rust", "scss": "css", "less": "css",
	"py": "python", "python3": "python", "rb": "ruby", "sh": "bash", "shell": "bash", "zsh": "bash", "console": "bash", "fish": "bash",
	"pl": "perl", "ex": "elixir", "exs": "elixir", "yml": "yaml", "ini": "toml", "conf": "toml", "makefile": "make", "dockerfile": "docker",
	"jsonc": "javascript", "json5": "javascript", "hs": "haskell", "xml": "html", "svg": "html", "vue": "html",
}
