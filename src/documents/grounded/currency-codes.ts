/** Codes of currencies, as an alternative of a pattern. */
export const CURRENCY_CODES = 'EUR|USD|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|CNY|INR';
