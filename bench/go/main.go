// Renders one template with each line of JSON data, several rounds, and prints the CPU time of a render in
// microseconds (best round) and the SHA-256 of all outputs end to end.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"text/template"
)

func main() {
	source := must(os.ReadFile(os.Args[1]))
	lines := must(os.Open(os.Args[2]))
	rounds := must(strconv.Atoi(os.Args[3]))
	compiled := must(template.New("prompt").Parse(string(source)))
	var inputs []map[string]any
	scanner := bufio.NewScanner(lines)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var data map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &data); err != nil {
			panic(err)
		}
		inputs = append(inputs, data)
	}
	digest := sha256.New()
	for _, data := range inputs {
		digest.Write([]byte(render(compiled, data)))
	}
	best := 0.0
	for round := 0; round < rounds; round++ {
		before := cpu()
		for _, data := range inputs {
			render(compiled, data)
		}
		if spent := (cpu() - before) / float64(len(inputs)); best == 0 || spent < best {
			best = spent
		}
	}
	fmt.Printf("{\"microseconds\":%f,\"hash\":\"%x\"}\n", best, digest.Sum(nil))
}

func render(compiled *template.Template, data map[string]any) string {
	var out bytes.Buffer
	if err := compiled.Execute(&out, data); err != nil {
		panic(err)
	}
	return out.String()
}

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	seconds := usage.Utime.Sec + usage.Stime.Sec
	micros := usage.Utime.Usec + usage.Stime.Usec
	return float64(seconds)*1e6 + float64(micros)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
