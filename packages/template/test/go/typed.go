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

// Agent is a type with methods: with and without arguments, variadic, and one that fails.
type Agent struct {
	Name  string
	Count int
}

func (a Agent) Hi() any                      { return "hi " + a.Name }
func (a Agent) Greet(word string) any        { return word + " " + a.Name }
func (a Agent) Self() any                    { return a }
func (a Agent) Small(n uint8, f float32) any { return []any{n, f} }
func (a Agent) Boom(any) (any, error)        { return nil, errors.New("it broke") }
func (a Agent) Sum(first int, rest ...float64) (any, error) {
	total := float64(first)
	for _, each := range rest {
		total += each
	}
	return total, nil
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
	case "float32":
		value, err := floatOf(text(1))
		return float32(value), err
	case "sized":
		return sized(text(1), text(2))
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
	case "float32s":
		return sliceOf[float32](values), nil
	case "int8s":
		return sliceOf[int8](values), nil
	case "int32s":
		return sliceOf[int32](values), nil
	case "uint64s":
		return sliceOf[uint64](values), nil
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
	case "Agent":
		return Agent{values[0].(string), values[1].(int)}, nil
	case "Box":
		return Box{values[0].(string), values[1], values[2].([]string)}, nil
	}
	return nil, fmt.Errorf("no form is called %q", form)
}

// sized reads an integer of a type by its name.
func sized(name, digits string) (any, error) {
	signed, err := strconv.ParseInt(digits, 10, 64)
	unsigned, err2 := strconv.ParseUint(digits, 10, 64)
	if err != nil && err2 != nil {
		return nil, err
	}
	switch name {
	case "int8":
		return int8(signed), nil
	case "int16":
		return int16(signed), nil
	case "int32":
		return int32(signed), nil
	case "int64":
		return signed, nil
	case "uint":
		return uint(unsigned), nil
	case "uint8":
		return uint8(unsigned), nil
	case "uint16":
		return uint16(unsigned), nil
	case "uint32":
		return uint32(unsigned), nil
	case "uint64":
		return unsigned, nil
	}
	return nil, fmt.Errorf("no integer type is called %q", name)
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
	"u8":  func(value uint8) any { return value },
	"u64": func(value uint64) any { return value },
	"f32": func(value float32) any { return value },
	"i16": func(all ...int16) any { return all },
	"made8": func() any {
		return func(first int8, rest ...uint32) any { return fmt.Sprintf("%v %v", first, rest) }
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
