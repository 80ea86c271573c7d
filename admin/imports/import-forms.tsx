import { useState } from "react";
import { useShop } from "../queries.ts";
import { useShopChange } from "../settings/shop-queries.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import { Choice, optionsOf, Select } from "../ui/forms/select.tsx";
import layout from "../ui/layout.module.css";
import { Panel } from "../ui/panel.tsx";
import { Notice } from "../ui/states.tsx";
import text from "../ui/text.module.css";
import { CheckImport, StartImport, useChange, type Format, type Import, type StartInput } from "./import-queries.ts";
import { copy } from "./copy.ts";

type Mapping = Format["mapping"][number];

/** Asks how to read a file, starting from what the last check found. */
export function FormatQuestions({ shown, format }: { shown: Import; format: Format }) {
  const { source, columns, questions, encodings } = format;
  const [mapping, setMapping] = useState<readonly Mapping[]>(format.mapping);
  const [chosen, setChosen] = useState(format);
  const choose = (choice: Partial<Format>) => setChosen({ ...chosen, ...choice });
  const asksMark = questions.includes("DECIMAL_MARK");
  const mapsColumns = source === "OTHER" || questions.includes("MAPPING");
  const check = useChange(CheckImport, shown);
  const input = {
    encoding: encodings.length > 0 ? chosen.encoding : null,
    source: chosen.source,
    emptyCells: chosen.emptyCells,
    mapping: mapsColumns && chosen.source === source ? [...mapping] : null,
    decimalMark: chosen.decimalMark ?? (asksMark ? "POINT" : null),
  };
  const texts = encodings.map(({ name, samples }) => [name, `${samples.join(" / ")} (${name})`] as const);
  return (
    <Panel title={copy.questions.title}>
      {texts.length > 0 && (
        <Choice
          name="encoding"
          label={copy.questions.encoding}
          value={chosen.encoding}
          options={texts}
          onChange={(encoding) => choose({ encoding })}
        />
      )}
      <Choice
        name="source"
        label={copy.questions.source}
        value={chosen.source}
        options={optionsOf(copy.sources)}
        onChange={(system) => choose({ source: system })}
      />
      {mapsColumns && <Columns shown={shown} columns={columns} mapping={mapping} onChange={setMapping} />}
      {asksMark && (
        <Choice
          name="decimalMark"
          label={copy.questions.decimalMark}
          value={chosen.decimalMark ?? "POINT"}
          options={optionsOf(copy.questions.decimalMarks)}
          onChange={(decimalMark) => choose({ decimalMark })}
        />
      )}
      <Choice
        name="emptyCells"
        label={copy.questions.emptyCells}
        value={chosen.emptyCells}
        options={optionsOf(copy.questions.emptyCellChoices)}
        onChange={(emptyCells) => choose({ emptyCells })}
      />
      {check.error && <Notice tone="bad">{check.error.message}</Notice>}
      <div>
        <Button busy={check.isPending} onClick={() => check.mutate({ input })}>
          {copy.questions.submit}
        </Button>
      </div>
    </Panel>
  );
}

interface ColumnsProps {
  shown: Import;
  columns: readonly string[];
  mapping: readonly Mapping[];
  onChange: (mapping: Mapping[]) => void;
}

/** The column of each field. */
function Columns({ shown, columns, mapping, onChange }: ColumnsProps) {
  const options = columns.map((name, index) => [String(index), name || copy.questions.unnamed(index + 1)] as const);
  return (
    <>
      <p className={text.soft}>{copy.questions.text}</p>
      <div className={layout.pair}>
        {fieldsOf(shown.kind).map(([field, label]) => (
          <FieldGroup key={field} name={field} label={label}>
            <div>
              <Select
                label={label}
                none={copy.questions.none}
                value={mapping.find((each) => each.field === field)?.column.toString()}
                options={options}
                onChange={(column) => onChange(mapField(mapping, field, column))}
              />
            </div>
          </FieldGroup>
        ))}
      </div>
    </>
  );
}

const fieldsOf = (kind: Import["kind"]) => Object.entries(copy.fields[kind]) as [Mapping["field"], string][];

function mapField(mapping: readonly Mapping[], field: Mapping["field"], column: string | undefined): Mapping[] {
  const others = mapping.filter((each) => each.field !== field);
  return column === undefined ? others : [...others, { field, column: Number(column) }];
}

/** Asks how to import the checked records, and starts. */
export function StartForm({ shown, count }: { shown: Import; count: string }) {
  const { kind, itemCount, faultyCount } = shown;
  const tax = useTax(shown);
  const [input, setInput] = useState<StartInput>({ existing: "LEAVE", stock: "LEAVE", sendWebhooks: true });
  const start = useChange(StartImport, shown);
  return (
    <Panel title={copy.start.title}>
      {tax.question}
      <Choice
        name="existing"
        label={copy.start.existing[kind]}
        value={input.existing}
        options={optionsOf(copy.start.existingChoices)}
        onChange={(existing) => setInput({ ...input, existing })}
      />
      {kind === "PRODUCTS" && input.existing === "UPDATE" && (
        <Choice
          name="stock"
          label={copy.start.stock}
          value={input.stock!}
          options={optionsOf(copy.start.stockChoices)}
          onChange={(stock) => setInput({ ...input, stock })}
        />
      )}
      <Checkbox
        label={copy.start.silent}
        checked={!input.sendWebhooks}
        onChange={(isSilent) => setInput({ ...input, sendWebhooks: !isSilent })}
      />
      {[tax.change.error, start.error].map(
        (error) =>
          error && (
            <Notice tone="bad" key={error.message}>
              {error.message}
            </Notice>
          ),
      )}
      <div>
        <Button
          variant="primary"
          busy={tax.change.isPending || start.isPending}
          disabled={itemCount === faultyCount}
          onClick={() => tax.save(() => start.mutate({ input }))}
        >
          {copy.start.submit(count)}
        </Button>
      </div>
    </Panel>
  );
}

/** Asks whether the prices of a file contain tax, if the shop has no tax rate. The answer is a setting of the shop. */
function useTax({ kind, defaultTaxRate, pricesIncludeTax }: Import) {
  const shop = useShop();
  const change = useShopChange(shop.id);
  const [answer, setAnswer] = useState<keyof typeof copy.start.taxChoices>(pricesIncludeTax ? "WITH" : "WITHOUT");
  const isAsked = kind === "PRODUCTS" && defaultTaxRate === null && shop.can("SETTINGS");
  const question = isAsked && (
    <Choice
      name="tax"
      label={copy.start.tax}
      hint={copy.start.taxHint}
      value={answer}
      options={optionsOf(copy.start.taxChoices)}
      onChange={setAnswer}
    />
  );
  const save = (onSaved: () => void) => {
    const includesTax = answer === "WITH";
    if (!isAsked || includesTax === pricesIncludeTax) onSaved();
    else change.mutate({ pricesIncludeTax: includesTax }, { onSuccess: onSaved });
  };
  return { question, change, save };
}
