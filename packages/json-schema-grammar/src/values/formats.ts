const MONTH_31 = '(0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])';
const MONTH_30 = '(0[469]|11)-(0[1-9]|[12]\\d|30)';
const FEBRUARY = '02-(0[1-9]|1\\d|2[0-8])';
const LEAP_YEAR = '(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
const DATE = `(\\d{4}-(${MONTH_31}|${MONTH_30}|${FEBRUARY})|${LEAP_YEAR}-02-29)`;

const CLOCK = '([01]\\d|2[0-3]):[0-5]\\d';
const TIME = `${CLOCK}:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]${CLOCK})`;

const COUNT = '\\d{1,4}';
const DAYS = `(${COUNT}D)`;
const MONTHS = `(${COUNT}M${DAYS}?)`;
const CALENDAR = `(${COUNT}Y${MONTHS}?|${MONTHS}|${DAYS})`;
const SECONDS = `(${COUNT}S)`;
const MINUTES = `(${COUNT}M${SECONDS}?)`;
const HOURS = `T(${COUNT}H${MINUTES}?|${MINUTES}|${SECONDS})`;

const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const MAILBOX = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const GROUP = '[0-9a-fA-F]{1,4}';

const PERCENT = '%[0-9A-Fa-f]{2}';
const PATH_CHARACTER = `([A-Za-z0-9._~!$&'()*+,;=:@-]|${PERCENT})`;
const FIRST_SEGMENT = `([A-Za-z0-9._~!$&'()*+,;=@-]|${PERCENT})`;
const REST = `(\\?(${PATH_CHARACTER}|[/?])*)?(#(${PATH_CHARACTER}|[/?])*)?`;
const AUTHORITY = `//([A-Za-z0-9._~-]+@)?[A-Za-z0-9._~-]+(:\\d{1,5})?(/${PATH_CHARACTER}*)*`;
const URI = `[A-Za-z][A-Za-z0-9+.-]*:(${AUTHORITY}|/?${PATH_CHARACTER}+(/${PATH_CHARACTER}*)*)${REST}`;
const RELATIVE = `(${AUTHORITY}|/(${PATH_CHARACTER}+(/${PATH_CHARACTER}*)*)?|${FIRST_SEGMENT}+(/${PATH_CHARACTER}*)*)?${REST}`;

/** IPv6 addresses: eight groups, or fewer around one `::`. */
function addressSix(): string {
  const shortened = Array.from({ length: 8 }, (_, before) => {
    const after = 7 - before;
    const left = before === 0 ? ':' : `(${GROUP}:){${before}}`;
    return after === 0 ? `${left}:` : `${left}(:${GROUP}){1,${after}}|${left}:`;
  });
  return `(${GROUP}:){7}${GROUP}|${shortened.join('|')}`;
}

const whole = (pattern: string) => `^(${pattern})$`;

/** The enforced formats, as patterns. Each allows only what validators agree on. */
export const FORMAT_PATTERNS: ReadonlyMap<string, string> = new Map([
  ['date', whole(DATE)],
  ['time', whole(TIME)],
  ['date-time', whole(`${DATE}T${TIME}`)],
  ['duration', whole(`P(${CALENDAR}(${HOURS})?|${HOURS}|${COUNT}W)`)],
  ['email', whole(`${MAILBOX}(\\.${MAILBOX})*@(${LABEL}\\.)+${LABEL}`)],
  ['idn-email', whole(`${MAILBOX}(\\.${MAILBOX})*@(${LABEL}\\.)+${LABEL}`)],
  ['hostname', whole(`${LABEL}(\\.${LABEL})*`)],
  ['idn-hostname', whole(`${LABEL}(\\.${LABEL})*`)],
  ['ipv4', whole(`(${BYTE}\\.){3}${BYTE}`)],
  ['ipv6', whole(addressSix())],
  ['uuid', whole('[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}')],
  ['uri', whole(URI)],
  ['iri', whole(URI)],
  ['uri-reference', whole(`${URI}|${RELATIVE}`)],
  ['iri-reference', whole(`${URI}|${RELATIVE}`)],
  ['json-pointer', whole('(/([^~/]|~0|~1)*)*')],
  ['relative-json-pointer', whole('(0|[1-9]\\d{0,5})(#|(/([^~/]|~0|~1)*)*)')],
]);

/** Formats that do not restrict strings. */
export const FREE_FORMATS: ReadonlySet<string> = new Set([
  'password',
  'binary',
  'float',
  'double',
  'int32',
  'int64',
]);
