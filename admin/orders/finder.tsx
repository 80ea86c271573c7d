import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useShop } from "../queries.ts";
import type { RequestOptions } from "../request.ts";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { usePaused } from "./use-paused.ts";
import styles from "./orders.module.css";
import { copy } from "./copy.ts";

interface FinderProps<Found extends { id: string }> {
  label: string;
  find: (shopId: string, search: string, options: RequestOptions) => Promise<Found[]>;
  /** Finds what has exactly this code, for Enter and scanners. */
  findByCode?: (shopId: string, code: string) => Promise<Found[]>;
  describe: (found: Found) => ReactNode;
  onChoose: (found: Found) => void;
  autoFocus?: boolean;
}

/** A field that searches as you type, with buttons for what it finds. Enter chooses the only match. */
export function Finder<Found extends { id: string }>(props: FinderProps<Found>) {
  const { label, describe, autoFocus } = props;
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const { typed, type, found, status, choose, enter } = useFinder(props);
  const press = ({ key, nativeEvent }: KeyboardEvent) => {
    if (key === "Enter" && !nativeEvent.isComposing) enter();
  };
  return (
    <div className={layout.stack}>
      <input
        ref={field}
        type="search"
        className={`${layout.control} ${styles.finder}`}
        aria-label={label}
        aria-describedby={id}
        placeholder={label}
        maxLength={200}
        autoComplete="off"
        autoFocus={autoFocus}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={press}
      />
      <ul className={styles.found}>
        {found.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              className={styles.option}
              onClick={() => {
                choose(each);
                field.current?.focus();
              }}
            >
              {describe(each)}
            </button>
          </li>
        ))}
      </ul>
      <p id={id} role="status" className={text.small}>
        {status}
      </p>
    </div>
  );
}

function useFinder<Found extends { id: string }>({ label, find, findByCode, onChoose }: FinderProps<Found>) {
  const { id: shopId } = useShop();
  const [typed, setTyped] = useState("");
  const [scanned, setScanned] = useState<{ code: string; found: Found[]; error?: Error }>();
  const search = usePaused(typed.trim());
  const isCurrent = search !== "" && search === typed.trim();
  const results = useQuery({
    queryKey: ["records", shopId, label, search],
    queryFn: ({ signal }) => find(shopId, search, { signal }),
    enabled: isCurrent,
  });
  const found = scanned?.found ?? (isCurrent ? (results.data ?? []) : []);
  const type = (now: string) => {
    setTyped(now);
    setScanned(undefined);
  };
  const choose = (chosen: Found) => {
    type("");
    onChoose(chosen);
  };
  const scan = async (code: string) => {
    // Empty at once, for the next scan.
    type("");
    try {
      const matches = await findByCode!(shopId, code);
      if (matches.length === 1) onChoose(matches[0]!);
      else setScanned({ code, found: matches.length > 0 ? matches : await find(shopId, code, {}) });
    } catch (error) {
      setScanned({ code, found: [], error: error as Error });
    }
  };
  const enter = () => {
    const code = typed.trim();
    if (code === "") return;
    if (findByCode) void scan(code);
    else if (found.length === 1) choose(found[0]!);
  };
  const error = scanned ? scanned.error : isCurrent && results.error;
  const status = error
    ? error.message
    : found.length > 0
      ? copy.create.found(found.length)
      : scanned
        ? copy.create.noMatchFor(scanned.code)
        : isCurrent && results.data && copy.create.noMatch;
  return { typed, type, found, status, choose, enter };
}
