import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Form, readText, TextField } from "../ui/forms/form.tsx";
import { Choice, optionsOf, type Options } from "../ui/forms/select.tsx";
import { Section } from "../ui/page.tsx";
import { toast } from "../ui/toasts.tsx";
import { SimulateEvent, SimulateFailures, SimulateOrder, simulationsQuery } from "./shop-queries.ts";
import layout from "../ui/layout.module.css";
import styles from "./settings.module.css";
import { copy } from "./copy.ts";

const texts = copy.simulations;

/** The simulations that only a sandbox accepts. */
export function Simulations({ shopId }: { shopId: string }) {
  const { topics, keys } = useSuspenseQuery(simulationsQuery(shopId)).data;
  const [keyId = "", chooseKey] = useState(keys[0]?.[0]);
  return (
    <Section title={texts.title}>
      <div className={`${layout.card} ${styles.card}`}>
        <Simulation
          {...texts.order}
          options={optionsOf(texts.states)}
          run={(state) => request(SimulateOrder, { shopId, state })}
        />
        <Simulation
          {...texts.event}
          options={topics}
          run={(topic, values) =>
            request(SimulateEvent, { shopId, topic, recordId: readText(values, "recordId") || null })
          }
        >
          <TextField name="recordId" label={texts.record} />
        </Simulation>
        <Simulation
          {...texts.failures}
          options={optionsOf(texts.kinds)}
          run={(kind, values) => request(SimulateFailures, { shopId, keyId, kind, count: Number(values.get("count")) })}
        >
          <Choice name="keyId" label={texts.key} value={keyId} options={keys} onChange={chooseKey} />
          <TextField name="count" label={texts.count} type="number" defaultValue={2} />
        </Simulation>
      </div>
    </Section>
  );
}

interface SimulationProps<Value extends string> extends Record<"label" | "action", string> {
  options: Options<Value>;
  run: (chosen: Value, values: FormData) => Promise<unknown>;
  children?: ReactNode;
}

function Simulation<Value extends string>({ label, action, options, run, children }: SimulationProps<Value>) {
  const [chosen, choose] = useState(options[0]![0]);
  const mutationFn = (values: FormData) => run(chosen, values);
  const { error, isPending, mutate } = useMutation({ mutationFn, onSuccess: () => toast(texts.done) });
  return (
    <Form error={error} onSubmit={(values) => !isPending && mutate(values)}>
      <Choice name="chosen" label={label} value={chosen} options={options} onChange={choose} />
      {children}
      <div>
        <Button type="submit" busy={isPending}>
          {action}
        </Button>
      </div>
    </Form>
  );
}
