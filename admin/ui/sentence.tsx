import { Fragment, type ReactNode } from "react";

/** A text with elements at its placeholders, such as "Expires {time}". */
export function Sentence({ text, parts }: { text: string; parts: Record<string, ReactNode> }) {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>);
}

/** A long address that breaks after its signs rather than inside words. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[@/?&=_-])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
