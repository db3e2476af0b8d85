# The Go toolchain: the oldest that will do, and the one fetched where none does.
# The sums are of the toolchain's module zip, which never changes once published.
GO_LEAST=1.26
GO_PIN=1.26.8
GO_SUM_AMD64=30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7
GO_SUM_ARM64=02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99
