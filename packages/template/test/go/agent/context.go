// Package agent holds the declared data of a system message. Go prints the name of the package and of the type
// in error texts and for %T, so both are as templates in clusters meet them.
package agent

// PromptTemplateContext is the `ctx` of a case: unknown fields are errors.
type PromptTemplateContext struct {
	AgentName      string
	AgentNamespace string
	Description    string
	ToolNames      []string
	SkillNames     []string
}
