module cuebook.dev/oracle

go 1.27
