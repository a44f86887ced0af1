// Command oracle answers template cases with Go's own text/template: a JSON case a line in, a JSON answer a
// line out, in order.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"cuebook.dev/oracle/agent"
)

// A case that passes a bound gets no answer: it has `limit` instead, and the generator is to blame.
const (
	maxOutput = 1 << 20
	maxTime   = time.Minute
)

var errLimit = errors.New("output past the limit of the oracle")

type testCase struct {
	ID         string                       `json:"id"`
	Tmpl       string                       `json:"tmpl"`
	Lookup     map[string]string            `json:"lookup"`
	Ctx        *agent.PromptTemplateContext `json:"ctx"`
	Data       any                          `json:"data"`
	MissingKey string                       `json:"missingkey"`
	// Of typed cases: the template in base64, its delimiters, and data with types.
	TmplBytes *string         `json:"tmplBytes"`
	Delims    []string        `json:"delims"`
	Typed     json.RawMessage `json:"typed"`
	// Of cases about sets of templates: the calls of methods.
	Steps []setStep `json:"steps"`
}

type answer struct {
	ID  string  `json:"id"`
	OK  bool    `json:"ok"`
	Out *string `json:"out"`
	Err *string `json:"err"`
	// Bytes is the output in base64 when `out` cannot hold it: invalid bytes print there as U+FFFD.
	Bytes string `json:"bytes,omitempty"`
	Limit bool   `json:"limit,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	decoder := json.NewDecoder(in)
	decoder.UseNumber()
	for decoder.More() {
		var next testCase
		if err := decoder.Decode(&next); err != nil {
			log.Fatal(err)
		}
		if err := encoder.Encode(answerInTime(next)); err != nil {
			log.Fatal(err)
		}
	}
}

// A template cannot be stopped from outside: one that is late runs on until the program ends.
func answerInTime(c testCase) answer {
	done := make(chan answer, 1)
	go func() { done <- answerCase(c) }()
	select {
	case a := <-done:
		return a
	case <-time.After(maxTime):
		return answer{ID: c.ID, Limit: true}
	}
}

func answerCase(c testCase) answer {
	out, err := render(c)
	if errors.Is(err, errLimit) {
		return answer{ID: c.ID, Limit: true}
	}
	if err != nil {
		text := err.Error()
		return answer{ID: c.ID, Err: &text}
	}
	a := answer{ID: c.ID, OK: true, Out: &out}
	if !utf8.ValidString(out) {
		a.Bytes = base64.StdEncoding.EncodeToString([]byte(out))
	}
	return a
}

func render(c testCase) (string, error) {
	if c.Steps != nil {
		data, err := plain(c.Data)
		if err != nil {
			return "", err
		}
		return runSet(c.Steps, data)
	}
	root := template.New("systemMessage").Funcs(template.FuncMap{"include": include(c.Lookup)})
	if c.MissingKey != "" {
		root = root.Option("missingkey=" + c.MissingKey)
	}
	if c.TmplBytes != nil {
		text, err := base64.StdEncoding.DecodeString(*c.TmplBytes)
		if err != nil {
			return "", err
		}
		c.Tmpl = string(text)
		root = root.Funcs(functions)
	}
	if len(c.Delims) == 2 {
		root = root.Delims(c.Delims[0], c.Delims[1])
	}
	parsed, err := root.Parse(c.Tmpl)
	if err != nil {
		return "", fmt.Errorf("failed to parse system message template: %w", err)
	}
	var data any
	if c.Ctx != nil {
		c.Ctx.ToolNames, c.Ctx.SkillNames = slices.Clip(c.Ctx.ToolNames), slices.Clip(c.Ctx.SkillNames)
		data = *c.Ctx
	} else if c.Typed != nil {
		if data, err = typed(c.Typed); err != nil {
			return "", err
		}
	} else if data, err = plain(c.Data); err != nil {
		return "", err
	}
	out := limited{}
	if err := parsed.Execute(&out, data); err != nil {
		return "", fmt.Errorf("failed to execute system message template: %w", err)
	}
	return out.String(), nil
}

func include(lookup map[string]string) func(string) (string, error) {
	return func(path string) (string, error) {
		if text, ok := lookup[path]; ok {
			return text, nil
		}
		known := make([]string, 0, len(lookup))
		for name := range lookup {
			known = append(known, name)
		}
		sort.Strings(known)
		return "", fmt.Errorf("prompt template %q not found in promptSources, available: %v", path, known)
	}
}

// plain makes a number an int when it is written as one that fits, else a float64.
func plain(value any) (any, error) {
	switch value := value.(type) {
	case json.Number:
		if !strings.ContainsAny(value.String(), ".eE") {
			if n, err := strconv.Atoi(value.String()); err == nil {
				return n, nil
			}
		}
		return value.Float64()
	case []any:
		for i := range value {
			item, err := plain(value[i])
			if err != nil {
				return nil, err
			}
			value[i] = item
		}
		// `slice` reaches up to the capacity, and what a decoder leaves there is an accident.
		return slices.Clip(value), nil
	case map[string]any:
		for key := range value {
			item, err := plain(value[key])
			if err != nil {
				return nil, err
			}
			value[key] = item
		}
	}
	return value, nil
}

type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxOutput {
		return 0, errLimit
	}
	return l.Builder.Write(p)
}
