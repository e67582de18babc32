const THOUSANDS = /^-?\d{1,3}([.,'])\d{3}(?:\1\d{3})*$/;

/** Parses a number with either decimal separator: 1,200.50, 1.200,50 and 1 200,00. */
export function parseNumber(text: string): number | undefined {
  const compact = text.replace(/[\s\u00a0\u202f]/g, '').replace(/^[−–]/, '-');
  if (!/^-?\d[\d.,']*$/.test(compact)) return undefined;
  const value = Number(withPoint(compact));
  return Number.isFinite(value) ? value : undefined;
}

function withPoint(text: string): string {
  if (THOUSANDS.test(text)) return text.replace(/[.,']/g, '');
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  const decimal = Math.max(comma, point);
  if (decimal < 0) return text.replaceAll("'", '');
  return `${text.slice(0, decimal).replace(/[.,']/g, '')}.${text.slice(decimal + 1)}`;
}
