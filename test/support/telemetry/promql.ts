import { parser } from "@prometheus-io/lezer-promql";
import type { Sample } from "./scrape.ts";

/** Labels that Prometheus adds to scraped metrics. */
const ofPrometheus = new Set(["job", "instance"]);

/** One series of a query, with the conditions on its labels. */
interface Selector {
  metric: string;
  matchers: { label: string; operator: string; value: string }[];
}

/**
 * Finds what is wrong with a query: its grammar, and each metric, label and value that a scrape lacks. Negated label
 * values may be anything.
 */
export function findFaults(query: string, samples: readonly Sample[]): string[] {
  const { selectors, groupings, errors } = readQuery(query);
  const known = selectors.filter(({ metric }) => metric !== "up");
  const series = known.map(({ metric }) => samples.filter(({ name }) => name === metric));
  const labels = new Set(series.flat().flatMap((sample) => Object.keys(sample.labels)));
  return [
    ...errors,
    ...known.flatMap((selector, index) => faultsOf(selector, series[index]!)),
    ...groupings.filter((label) => !labels.has(label) && !ofPrometheus.has(label)).map((label) => `by ${label}`),
  ];
}

function faultsOf({ metric, matchers }: Selector, series: readonly Sample[]): string[] {
  if (series.length === 0) return [metric];
  return matchers.flatMap(({ label, operator, value }) => {
    if (ofPrometheus.has(label)) return [];
    const values = series.map(({ labels }) => labels[label]).filter((one) => one !== undefined);
    if (values.length === 0) return [`${metric} has no ${label}`];
    if (operator.startsWith("!")) return [];
    const alternatives = operator === "=" ? [value] : value.split("|");
    const isThere = (one: string) => values.some((held) => (operator === "=" ? held === one : matches(one, held)));
    return alternatives.filter((one) => !isThere(one)).map((one) => `${metric} has no ${label} ${one}`);
  });
}

const matches = (expression: string, text: string) => new RegExp(`^(?:${expression})$`).test(text);

function readQuery(query: string) {
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  const errors: string[] = [];
  const textOf = ({ from, to }: { from: number; to: number }) => query.slice(from, to);
  parser.parse(query).iterate({
    enter: ({ type, name, node }) => {
      if (type.isError) errors.push(`cannot be read at ${node.from}`);
      if (name === "VectorSelector") selectors.push({ metric: textOf(node.getChild("Identifier")!), matchers: [] });
      if (name === "GroupingLabels") groupings.push(...node.getChildren("LabelName").map(textOf));
      if (name !== "UnquotedLabelMatcher") return;
      const [label, operator, value] = ["LabelName", "MatchOp", "StringLiteral"].map((kind) => node.getChild(kind)!);
      selectors.at(-1)!.matchers.push({
        label: textOf(label!),
        operator: textOf(operator!),
        value: JSON.parse(textOf(value!)) as string,
      });
    },
  });
  return { selectors, groupings, errors };
}
