import { Fragment } from "react";

/** A long address that breaks after its signs rather than inside words. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[@/?&=_-])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
