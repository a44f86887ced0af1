/** A script that takes the workflow to its end by the small branch. */
export const REHEARSAL = `# Plays workflows/request to its end without a model.
lanes:
  "*":
    - toolCalls:
        - { name: fs.read, args: { path: "@pkg/steps/intake.md" } }
    - toolCalls:
        - name: fs.write
          args: { path: "@project/artifacts/request.md", content: "When are you open?\\n" }
        - name: fs.apply_patch
          args:
            path: "@state/workflow.md"
            patch:
              operation: updateFrontmatter
              update:
                variables: { set: { request: They want to know the opening hours. } }
                stepsCompleted: { append: [intake] }
                currentNodeId: { set: decide }
    - toolCalls:
        - { name: fs.read, args: { path: "@pkg/steps/decide.md" } }
        - { name: fs.read, args: { path: "@project/artifacts/request.md" } }
    - toolCalls:
        - name: fs.apply_patch
          args:
            path: "@state/workflow.md"
            patch:
              operation: updateFrontmatter
              update:
                variables: { set: { size: small } }
                decisionLog: { append: [{ from: decide, to: answer, label: small, reason: One line answers it. }] }
                stepsCompleted: { append: [decide] }
                currentNodeId: { set: answer }
    - toolCalls:
        - { name: fs.read, args: { path: "@pkg/steps/answer.md" } }
    - toolCalls:
        - name: fs.write
          args: { path: "@project/artifacts/answer.md", content: "We are open from nine to five.\\n" }
        - name: fs.apply_patch
          args:
            path: "@state/workflow.md"
            patch:
              operation: updateFrontmatter
              update:
                stepsCompleted: { append: [answer] }
                currentNodeId: { set: close }
    - toolCalls:
        - { name: fs.read, args: { path: "@pkg/steps/close.md" } }
    - toolCalls:
        - name: fs.write
          args:
            path: "@project/artifacts/summary.md"
            content: "Asked: opening hours.\\nMade: answer.md\\n"
        - name: fs.apply_patch
          args:
            path: "@state/workflow.md"
            patch:
              operation: updateFrontmatter
              update: { stepsCompleted: { append: [close] } }
    - text: The request is answered. You find the answer in @project/artifacts/answer.md.
`;
