export type FigureValue = string | number | null | undefined;
export type FigureRow = Record<string, FigureValue>;

export interface Column {
  key: string;
  label: string;
  /** How the table shows numbers; the file keeps them as they are. */
  format?: (value: number) => string;
}

/** RFC 4180. A text that a spreadsheet would run as a formula starts with an apostrophe. */
export function csvOf(columns: Column[], rows: FigureRow[]): string {
  const lines = [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ key }) => row[key]))];
  return lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}

function cell(value: FigureValue): string {
  if (typeof value !== "string") return value == null ? "" : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
