import text from "../ui/text.module.css";
import { Breakable } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

/** The name of the person, service or key that made a change; nothing when it is unknown. */
export function By({ name }: { name: string | null }) {
  return (
    name && (
      <span className={text.small}>
        <Breakable text={copy.by(name)} />
      </span>
    )
  );
}
