// The right answers of an invoice in XML (ZUGFeRD, Factur-X).

/** The fields and rows of an invoice; undefined if the XML is none. */
export function goldOfInvoice(xml) {
  const root = parseXml(xml);
  const document = find(root, 'ExchangedDocument') ?? find(root, 'HeaderExchangedDocument');
  if (document === undefined) return undefined;
  const sums =
    all(root, 'SpecifiedTradeSettlementHeaderMonetarySummation').find(hasTotal) ??
    all(root, 'SpecifiedTradeSettlementMonetarySummation').find(hasTotal) ??
    root;
  const fields = {
    invoice_number: textAt(document, 'ID'),
    invoice_date: day(textAt(document, 'IssueDateTime', 'DateTimeString')),
    due_date: day(textAt(root, 'SpecifiedTradePaymentTerms', 'DueDateDateTime', 'DateTimeString')),
    currency: textAt(root, 'InvoiceCurrencyCode'),
    'seller.name': textAt(root, 'SellerTradeParty', 'Name'),
    'buyer.name': textAt(root, 'BuyerTradeParty', 'Name'),
    net_amount: amount(textAt(sums, 'TaxBasisTotalAmount')),
    tax_amount: amount(textAt(sums, 'TaxTotalAmount')),
    total: amount(textAt(sums, 'GrandTotalAmount')),
  };
  const rows = all(root, 'IncludedSupplyChainTradeLineItem').flatMap((line) => {
    const [name, total] = [
      textAt(line, 'SpecifiedTradeProduct', 'Name'),
      amount(textAt(line, 'LineTotalAmount')),
    ];
    return name === undefined || total === undefined ? [] : [{ name: name.split('\n')[0], total }];
  });
  return { fields, rows };
}

/** Elements without prefixes and attributes, as {tag, text, children}. */
function parseXml(xml) {
  const root = { tag: '', text: '', children: [] };
  const open = [root];
  const parts = xml
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
    .matchAll(/<(\/?)([^\s/>]+)[^>]*?(\/?)>|([^<]+)/g);
  for (const [, isEnd, name, isEmpty, text] of parts) {
    const top = open.at(-1);
    if (text !== undefined) top.text += text;
    else if (isEnd) open.pop();
    else {
      const element = { tag: name.split(':').at(-1), text: '', children: [] };
      top.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  return root;
}

function all(element, tag) {
  return element.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...all(child, tag)]);
}

function find(element, tag) {
  return all(element, tag)[0];
}

/** The text of the first element anywhere below whose descendants are these, one inside the other. */
function textAt(element, tag, ...rest) {
  for (const found of all(element, tag)) {
    const last = rest.reduce((at, name) => at?.children.find((child) => child.tag === name), found);
    const text = last?.text.trim();
    if (text) return unescaped(text);
  }
  return undefined;
}

function hasTotal(element) {
  return find(element, 'GrandTotalAmount') !== undefined;
}

function amount(text) {
  return text === undefined ? undefined : Number(text);
}

function day(text) {
  return text?.length === 8 ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}` : undefined;
}

function unescaped(text) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
