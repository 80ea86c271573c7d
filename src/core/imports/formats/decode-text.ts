import { isAscii } from "node:buffer";
import { cut } from "../../../platform/texts.ts";
import iconv from "iconv-lite";
import type { ChosenFormat } from "../../model/imports/import.entity.ts";
import { guessEncodings, isMixedUnicode } from "./encodings.ts";
import { unreadable } from "./unreadable.ts";

const HEAD_SIZE = 64 * 1024;

/** The first bytes of files that people take for CSV, in hexadecimal. */
const signatures: [start: string, kind: string][] = [
  ["504b0304", "an Excel workbook or a ZIP archive"],
  ["d0cf11e0", "an Excel workbook"],
  ["1f8b", "a compressed file"],
  ["25504446", "a PDF"],
];

interface DetectedEncoding {
  encoding: string;
  /** Encodings that the text may have, the best first. Empty for Unicode. */
  candidates: string[];
  /** False if a person has to choose a candidate. */
  isSure: boolean;
  /** The first 64 KiB of text. */
  head: string;
  /** Lines with letters outside ASCII, to choose an encoding by. */
  samples: Buffer;
}

/**
 * Finds the encoding of a file: UTF-8, UTF-16 with or without a byte order mark, or else what the letters outside ASCII
 * are most likely in.
 *
 * @throws AppError VALIDATION_FAILED when it is not a text file
 */
export async function detectEncoding(
  chunks: AsyncIterable<Buffer>,
  { encoding: chosen, language }: Pick<ChosenFormat, "encoding" | "language">,
): Promise<DetectedEncoding> {
  let start = Buffer.alloc(0);
  let samples = "";
  let rest = "";
  let broken = 0;
  let foreign = 0;
  let isValid = true;
  const decoder = new TextDecoder();
  const strict = new TextDecoder("UTF-8", { fatal: true });
  for await (const chunk of chunks) {
    if (start.length < HEAD_SIZE) start = Buffer.concat([start, chunk]);
    isValid &&= canDecode(strict, chunk);
    const text = decoder.decode(chunk, { stream: true });
    const lines = (rest + chunk.toString("latin1")).split(/(?<=[\r\n])/);
    rest = lines.pop()!.slice(0, HEAD_SIZE);
    if (samples.length < HEAD_SIZE) samples += lines.filter(isForeign).join("");
    if (isAscii(chunk)) continue;
    broken += text.split("\ufffd").length - 1;
    foreign += text.replace(/[\0-\x7f]+/g, "").length;
  }
  if (isForeign(rest)) samples += rest;
  const bytes = Buffer.from(samples.slice(0, HEAD_SIZE), "latin1");
  const isMarked = start.toString("hex", 0, 3) === "efbbbf";
  // A file in UTF-8 may have a few broken characters.
  const unicode =
    detectUtf16(start) ??
    ((isValid && (isMarked || !isMixedUnicode(bytes))) || (broken > 0 && broken <= foreign / 8) ? "UTF-8" : undefined);
  const { names, isSure } = unicode ? { names: [], isSure: true } : guessEncodings(bytes, language ?? "");
  if (!unicode && broken <= foreign / 2) names.unshift("UTF-8");
  const encoding = chosen ?? unicode ?? names[0]!;
  const head = checkStart(decoderOf(encoding).write(start.subarray(0, HEAD_SIZE)));
  return {
    encoding,
    candidates: names,
    isSure: (isSure && names[0] !== "UTF-8") || chosen != null,
    head,
    samples: bytes,
  };
}

/** For a line of bytes as Latin-1. */
const isForeign = (line: string) => /[\x80-\xff]/.test(line);

function canDecode(decoder: TextDecoder, bytes: Buffer): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** @throws AppError VALIDATION_FAILED when it is not a text file */
export async function* decodeText(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string, void> {
  const decoder = decoderOf(encoding);
  for await (const chunk of chunks) yield checkText(decoder.write(chunk));
  yield decoder.end() ?? "";
}

/** The standard of the Web decodes UTF, and drops its byte order mark. It has no code pages of DOS. */
function decoderOf(encoding: string): { write: (bytes: Buffer) => string; end: () => string | undefined } {
  if (!encoding.startsWith("UTF")) return iconv.getDecoder(encoding);
  const decoder = new TextDecoder(encoding);
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

function detectUtf16(head: Buffer): "UTF-16LE" | "UTF-16BE" | undefined {
  const start = head.toString("hex", 0, 8);
  const kind = signatures.find(([signature]) => start.startsWith(signature))?.[1];
  if (kind) throw notCsv(kind);
  if (start.startsWith("fffe") || /^(?!00)..00/.test(start)) return "UTF-16LE";
  return start.startsWith("feff") || /^00(?!00)/.test(start) ? "UTF-16BE" : undefined;
}

function checkStart(text: string): string {
  const [first] = text.trimStart();
  if (first === "<") throw notCsv("a web page or XML");
  if (first === "{" || first === "[") throw notCsv("JSON");
  if (first === undefined) throw unreadable("The file is empty.", "Choose a file whose first row names the columns.");
  return checkText(text);
}

function checkText(text: string): string {
  if (text.includes("\0")) throw notCsv("a binary file");
  return text;
}

function notCsv(kind: string) {
  return unreadable(`The file is ${kind}, not CSV.`, "Open it in a spreadsheet and save it as CSV UTF-8.");
}

const MAX_SAMPLES = 3;
const MAX_SAMPLE = 60;

/** Texts with letters outside ASCII, as an encoding reads them. */
export function sampleTexts(lines: Buffer, encoding: string, delimiter: string): string[] {
  const cells = iconv
    .decode(lines, encoding)
    .split(/[\r\n]+/)
    .flatMap((line) => line.split(delimiter).find((cell) => /\P{ASCII}/u.test(cell)) ?? []);
  return [...new Set(cells)].slice(0, MAX_SAMPLES).map((cell) => cut(cell.replace(/^["\s]+|["\s]+$/g, ""), MAX_SAMPLE));
}
