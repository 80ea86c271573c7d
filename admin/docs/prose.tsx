/** A text of the document, with paragraphs and code between backticks. */
export function Prose({ text }: { text: string }) {
  return text.split("\n\n").map((paragraph) => (
    <p key={paragraph}>
      {paragraph.split("`").map((part, index) =>
        // Every second part is between backticks.
        index % 2 === 1 ? <code key={index}>{part}</code> : part,
      )}
    </p>
  ));
}
