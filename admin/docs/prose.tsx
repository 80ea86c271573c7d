/** Text of the document: paragraphs, and code between backticks. */
export function Prose({ text }: { text: string }) {
  return text.split("\n\n").map((paragraph) => (
    <p key={paragraph}>
      {paragraph.split("`").map((part, index) =>
        // Between backticks is every second part.
        index % 2 === 1 ? <code key={index}>{part}</code> : part,
      )}
    </p>
  ));
}
