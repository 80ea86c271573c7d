import text from "../ui/text.module.css";

/** Names the person, service or key that did something; nothing where it was none of them. */
export function By({ name }: { name: string | null }) {
  return name && <span className={text.under}>by {name}</span>;
}
