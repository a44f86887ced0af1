module cuebook.dev/bench

go 1.27
