package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"text/template"
)

// Point and Box are the declared types of typed data: one that compares and one that does not.
type Point struct {
	X int
	Y float64
}

type Box struct {
	Name string
	Any  any
	Tags []string
}

// typed reads a value with its type: a list of the name of its form and of what it is made of.
func typed(raw json.RawMessage) (any, error) {
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	var form string
	if err := json.Unmarshal(parts[0], &form); err != nil {
		return nil, err
	}
	text := func(at int) string {
		var encoded string
		json.Unmarshal(parts[at], &encoded)
		return encoded
	}
	bytes := func(at int) []byte {
		decoded, _ := base64.StdEncoding.DecodeString(text(at))
		return append(make([]byte, 0, len(decoded)), decoded...)
	}
	switch form {
	case "nil":
		return nil, nil
	case "bool":
		return text(1) == "true", nil
	case "int":
		return strconv.Atoi(text(1))
	case "uint8":
		n, err := strconv.ParseUint(text(1), 10, 8)
		return uint8(n), err
	case "float":
		return floatOf(text(1))
	case "complex":
		re, err := floatOf(text(1))
		im, err2 := floatOf(text(2))
		return complex(re, im), errors.Join(err, err2)
	case "string":
		return string(bytes(1)), nil
	case "bytes":
		return bytes(1), nil
	case "nil-bytes":
		return []byte(nil), nil
	case "nil-strings":
		return []string(nil), nil
	case "func":
		return func(args ...any) any { return len(args) }, nil
	}
	values := make([]any, len(parts)-1)
	for i := range values {
		value, err := typed(parts[i+1])
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	switch form {
	case "list":
		return values, nil
	case "strings":
		return sliceOf[string](values), nil
	case "ints":
		return sliceOf[int](values), nil
	case "floats":
		return sliceOf[float64](values), nil
	case "bools":
		return sliceOf[bool](values), nil
	case "points":
		return sliceOf[Point](values), nil
	case "map":
		return mapOf[string](values), nil
	case "int-map":
		return mapOf[int](values), nil
	case "float-map":
		return mapOf[float64](values), nil
	case "bool-map":
		return mapOf[bool](values), nil
	case "Point":
		return Point{values[0].(int), values[1].(float64)}, nil
	case "Box":
		return Box{values[0].(string), values[1], values[2].([]string)}, nil
	}
	return nil, fmt.Errorf("no form is called %q", form)
}

// floatOf reads the 16 hexadecimal digits of a float64.
func floatOf(digits string) (float64, error) {
	bits, err := strconv.ParseUint(digits, 16, 64)
	return math.Float64frombits(bits), err
}

func sliceOf[T any](values []any) []T {
	items := make([]T, len(values))
	for i, value := range values {
		items[i] = value.(T)
	}
	return items
}

func mapOf[K comparable](values []any) map[K]any {
	entries := map[K]any{}
	for i := 0; i < len(values); i += 2 {
		entries[values[i].(K)] = values[i+1]
	}
	return entries
}

// functions are those that typed cases have besides `include`.
var functions = template.FuncMap{
	"up":   func(text string) string { return "<" + text + ">" },
	"add":  func(all ...int) any { return sum(all) },
	"half": func(value float64) float64 { return value / 2 },
	"flip": func(value bool) bool { return !value },
	"pair": func(text string, value any) string { return fmt.Sprintf("%s:%T", text, value) },
	"id":   func(value any) any { return value },
	"none": func() any { return nil },
	"make": func() any {
		return func(count int, words ...string) any { return fmt.Sprint(count, len(words)) }
	},
	"boom": func() (string, error) { return "", errors.New("it broke") },
}

func sum(all []int) int {
	total := 0
	for _, each := range all {
		total += each
	}
	return total
}
