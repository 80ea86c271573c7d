import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { useShop } from "../../queries.ts";
import type { RequestOptions } from "../../request.ts";
import { usePaused } from "../../ui/forms/search-field.tsx";
import layout from "../../ui/layout.module.css";
import text from "../../ui/text.module.css";
import styles from "../orders.module.css";
import { copy } from "../copy.ts";

interface FinderProps<Found extends { id: string }> {
  label: string;
  find: (shopId: string, search: string, options: RequestOptions) => Promise<Found[]>;
  describe: (found: Found) => readonly [name: string, detail: string];
  onChoose: (found: Found) => void;
  autoFocus?: boolean;
}

/**
 * A field that searches as you type, and offers what it finds. Arrow keys mark a match, and Enter chooses it. Without a
 * mark, Enter, which scanners send, searches at once and chooses the only match.
 */
export function Finder<Found extends { id: string }>(props: FinderProps<Found>) {
  const { label, describe, onChoose, autoFocus } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { typed, type, enter, clear, found = [], status } = useSearch(props);
  const choose = (match: Found) => {
    clear();
    onChoose(match);
    field.current?.focus();
  };
  const { list, marked, unmark, press } = useMark(found, { choose, enter, clear });
  return (
    <div className={layout.stack}>
      <input
        ref={field}
        role="combobox"
        className={layout.control}
        aria-label={label}
        aria-describedby={id}
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={marked < 0 ? undefined : `${id}-${marked}`}
        placeholder={label}
        maxLength={200}
        autoComplete="off"
        autoFocus={autoFocus}
        value={typed}
        onChange={({ target }) => {
          unmark();
          type(target.value);
        }}
        onKeyDown={press}
      />
      {found.length > 0 && (
        <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={styles.options}>
          {found.map((each, index) => (
            <button
              key={each.id}
              id={`${id}-${index}`}
              type="button"
              role="option"
              aria-selected={index === marked}
              tabIndex={-1}
              className={styles.option}
              onClick={() => choose(each)}
            >
              <span className={text.name}>{describe(each)[0]}</span> <span>{describe(each)[1]}</span>
            </button>
          ))}
        </div>
      )}
      <p id={id} role="status" className={text.small}>
        {status}
      </p>
    </div>
  );
}

function useSearch<Found extends { id: string }>({ label, find, onChoose }: FinderProps<Found>) {
  const { id: shopId } = useShop();
  const [typed, type] = useState("");
  const search = usePaused(typed.trim());
  const isPaused = search === typed.trim();
  const listed = useQuery({
    queryKey: ["records", shopId, label, search],
    queryFn: ({ signal }) => find(shopId, search, { signal }),
    enabled: search !== "" && isPaused,
  });
  const entered = useMutation({
    mutationFn: async (code: string) => {
      const matches = await find(shopId, code, {});
      if (matches.length !== 1) return matches;
      onChoose(matches[0]!);
      return undefined;
    },
  });
  const enter = () => {
    if (typed.trim() === "") return;
    entered.mutate(typed.trim());
    // Empty at once, for the next scan.
    type("");
  };
  const clear = () => {
    type("");
    entered.reset();
  };
  const { data: found, error } = typed === "" ? entered : isPaused ? listed : {};
  const status = error ? error.message : found && copy.create.found(found.length, typed || entered.variables!);
  return { typed, type, enter, clear, found, status };
}

type Actions<Found> = { choose: (match: Found) => void; enter: () => void; clear: () => void };

/** The index of the match that arrow keys mark, or -1. */
function useMark<Found extends { id: string }>(found: readonly Found[], { choose, enter, clear }: Actions<Found>) {
  const list = useRef<HTMLDivElement>(null);
  const [id, mark] = useState<string>();
  const marked = found.findIndex((match) => match.id === id);
  const press = (event: KeyboardEvent) => {
    const { key, shiftKey, nativeEvent } = event;
    if (nativeEvent.isComposing) return;
    if (key === "Escape") clear();
    if (key === "Enter" && marked >= 0) choose(found[marked]!);
    else if (key === "Enter") enter();
    const next = shiftKey ? undefined : moveTo(key, marked, found.length);
    if (next === undefined) return;
    event.preventDefault();
    mark(found[next]!.id);
    list.current!.children[next]!.scrollIntoView({ block: "nearest" });
  };
  return { list, marked, unmark: () => mark(undefined), press };
}

/** The match that a key moves the mark to. Home and End are the field's until there is one. */
function moveTo(key: string, marked: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (marked + 1) % count;
  if (key === "ArrowUp") return marked > 0 ? marked - 1 : count - 1;
  if (marked >= 0 && key === "Home") return 0;
  return marked >= 0 && key === "End" ? count - 1 : undefined;
}
