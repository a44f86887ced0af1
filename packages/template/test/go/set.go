package main

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"
	"testing/fstest"
	"text/template"
)

// A setStep is one call of a method of a template. `On` is the place of the template among those that the steps
// before have made: New, AddParseTree, Lookup and Clone each add one.
type setStep struct {
	Do    string            `json:"do"`
	On    int               `json:"on"`
	Name  string            `json:"name"`
	Text  string            `json:"text"`
	Tree  int               `json:"tree"`
	Words []string          `json:"words"`
	Files map[string]string `json:"files"`
}

// runSet answers each step in one line.
func runSet(steps []setStep, data any) (out string, err error) {
	made := []*template.Template{template.New("a")}
	lines := []string{}
	// A member without a body is called: Go itself breaks there, so there is no answer.
	defer func() {
		if recover() != nil {
			err = errLimit
		}
	}()
	for at, step := range steps {
		if step.On >= len(made) || made[step.On] == nil {
			lines = append(lines, "nothing")
			continue
		}
		line, next := runStep(made, made[step.On], step, at, data)
		if errors.Is(next.err, errLimit) {
			return "", errLimit
		}
		if next.isMade {
			made = append(made, next.template)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), nil
}

type setResult struct {
	isMade   bool
	template *template.Template
	err      error
}

func runStep(made []*template.Template, t *template.Template, step setStep, at int, data any) (string, setResult) {
	none := setResult{}
	word := func(_ *template.Template, err error) (string, setResult) {
		if err != nil {
			return err.Error(), none
		}
		return "ok", none
	}
	switch step.Do {
	case "new":
		return "ok", setResult{isMade: true, template: t.New(step.Name)}
	case "parse":
		return word(t.Parse(step.Text))
	case "files":
		files, paths := fstest.MapFS{}, slices.Sorted(maps.Keys(step.Files))
		for _, each := range paths {
			files[path.Clean(each)] = &fstest.MapFile{Data: []byte(step.Files[each])}
		}
		return word(t.ParseFS(files, paths...))
	case "add":
		if step.Tree >= len(made) || made[step.Tree] == nil || made[step.Tree].Tree == nil {
			return "no tree", none
		}
		added, _ := t.AddParseTree(step.Name, made[step.Tree].Tree)
		return "ok", setResult{isMade: true, template: added}
	case "lookup":
		found := t.Lookup(step.Name)
		return fmt.Sprint(found != nil), setResult{isMade: true, template: found}
	case "templates":
		names := []string{}
		for _, each := range t.Templates() {
			names = append(names, each.Name())
		}
		sort.Strings(names)
		return fmt.Sprintf("%q", names), none
	case "defined":
		names := strings.Split(strings.TrimPrefix(t.DefinedTemplates(), "; defined templates are: "), ", ")
		sort.Strings(names)
		return strings.Join(names, ", "), none
	case "clone":
		copied, _ := t.Clone()
		return "ok", setResult{isMade: true, template: copied}
	case "option":
		return panicked(func() { t.Option(step.Words...) }), none
	case "delims":
		t.Delims(step.Words[0], step.Words[1])
		return "ok", none
	case "funcs":
		return panicked(func() { t.Funcs(template.FuncMap{step.Name: setFunction(step, at)}) }), none
	case "execute", "executeTemplate":
		out := limited{}
		var err error
		if step.Do == "execute" {
			err = t.Execute(&out, data)
		} else {
			err = t.ExecuteTemplate(&out, step.Name, data)
		}
		if err != nil {
			return err.Error(), setResult{err: err}
		}
		return fmt.Sprintf("%q", out.String()), none
	}
	panic("no step is called " + step.Do)
}

func setFunction(step setStep, at int) any {
	if step.Text == "text" {
		return "no function"
	}
	return func(args ...any) string { return fmt.Sprint(step.Name, at, len(args)) }
}

func panicked(run func()) (text string) {
	defer func() {
		if problem := recover(); problem != nil {
			text = fmt.Sprint(problem)
		}
	}()
	run()
	return "ok"
}
