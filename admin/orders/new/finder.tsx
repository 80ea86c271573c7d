import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
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

/** A field that searches as you type, and offers what it finds. Enter, which scanners send, chooses the only match. */
export function Finder<Found extends { id: string }>(props: FinderProps<Found>) {
  const { label, find, describe, onChoose, autoFocus } = props;
  const { id: shopId } = useShop();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
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
  const choose = (found: Found) => {
    type("");
    entered.reset();
    onChoose(found);
    field.current?.focus();
  };
  const { data: found, error } = typed === "" ? entered : isPaused ? listed : {};
  return (
    <div className={layout.stack}>
      <input
        ref={field}
        type="search"
        className={layout.control}
        aria-label={label}
        aria-describedby={id}
        placeholder={label}
        maxLength={200}
        autoComplete="off"
        autoFocus={autoFocus}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key, nativeEvent }) => key === "Enter" && !nativeEvent.isComposing && enter()}
      />
      {found && found.length > 0 && <Matches found={found} describe={describe} onChoose={choose} />}
      <p id={id} role="status" className={text.small}>
        {error ? error.message : found && copy.create.found(found.length, typed || entered.variables!)}
      </p>
    </div>
  );
}

type MatchesProps<Found extends { id: string }> = Pick<FinderProps<Found>, "describe" | "onChoose"> & {
  found: readonly Found[];
};

function Matches<Found extends { id: string }>({ found, describe, onChoose }: MatchesProps<Found>) {
  return (
    <div className={styles.options}>
      {found.map((each) => (
        <button key={each.id} type="button" className={styles.option} onClick={() => onChoose(each)}>
          <span className={text.name}>{describe(each)[0]}</span> <span>{describe(each)[1]}</span>
        </button>
      ))}
    </div>
  );
}
