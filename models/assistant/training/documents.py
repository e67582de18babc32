"""Instructions for documents, and the plain HTML that answers them. Every fact of an instruction stands in its document, and no other."""

import html as html_text

from documents_free import free_document
from letters_abroad import letter_abroad
from statements import sentence, stated, told
from tokens import chat_prompt
from words import COURSE, FOOD, OCCASION, PACK, PLACE, ROLE, SERVICE, TASK, THING, TOPIC

# The rules that the gateway puts before an instruction (src/pdf/instruction-conversation.ts).
RULES = """Write one complete HTML document for the instruction below. It will be printed to PDF as it is.
Rules:
- Answer with the HTML only, from <!DOCTYPE html> to </html>: no explanation, no code fence.
- The document is self-contained: nothing is ever fetched and no script runs. Put all CSS into a <style> element. Do not refer to external images, fonts, style sheets or scripts; embed pictures as data: URIs or inline SVG, or leave them out.
- Give it a <title> and its language in the lang attribute.
- It is printed on A4 with margins of 15 mm unless an @page rule says otherwise.

Instruction:"""

STYLE = 'body{font:12pt/1.5 sans-serif}'
TABLE_STYLE = 'table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:6px;text-align:left}'
CENTRED = 'body{font:14pt/1.6 serif;text-align:center}h1{font-size:30pt}'


def escape(text):
    return html_text.escape(text, quote=False)


def page(title, body, *, lang='en', style=STYLE):
    if '<table>' in body:
        style += TABLE_STYLE
    head = f'<meta charset="utf-8">\n<title>{escape(title)}</title>\n<style>{style}</style>'
    return f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>'


def paragraph(text):
    return f'<p>{escape(text)}</p>'


def lines(*texts):
    return '<p>' + '<br>\n'.join(escape(text) for text in texts if text) + '</p>'


def listed(items, tag='ul'):
    return f'<{tag}>\n' + '\n'.join(f'<li>{escape(item)}</li>' for item in items) + f'\n</{tag}>'


def table(head, rows):
    cells = lambda tag, row: '<tr>' + ''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in row) + '</tr>'
    return '<table>\n' + cells('th', head) + '\n' + '\n'.join(cells('td', row) for row in rows) + '\n</table>'


def joined(items, last='and'):
    return items[0] if len(items) == 1 else f'{", ".join(items[:-1])} {last} {items[-1]}'


def given(words, items):
    """Items as people list them in a request."""
    form = words.random.randrange(5)
    if form == 0:
        return ', '.join(items)
    if form == 1:
        return '\n' + '\n'.join(f'- {item}' for item in items)
    if form == 2:
        return '; '.join(items)
    return joined(items)


def recipient(words):
    if words.chance(0.6):
        who = words.titled()
        female = who.startswith(('Ms', 'Mrs'))
        male = who.startswith('Mr') and not female
        pronouns = ('her', 'her', 'she') if female else ('him', 'his', 'he') if male else ('them', 'their', 'they')
        return who, f'Dear {who},', pronouns
    if words.chance(0.5):
        who = words.person()
        return who, f'Dear {who},', words.pick([('her', 'her', 'she'), ('him', 'his', 'he'), ('them', 'their', 'they')])
    if words.chance(0.5):
        who = words.company()
        return who, 'Dear Sir or Madam,', ('them', 'their', 'they')
    who = words.pick(['our customers', 'all members', 'the parents', 'our neighbours', 'the team', 'all tenants', 'my landlord', 'the bank', 'all staff', 'the tax office', 'my sister', 'the guests'])
    greeting = f'Dear {who.split(" ", 1)[1]},' if who.split(' ')[0] in ('our', 'my', 'all', 'the') else f'Dear {who},'
    if who in ('the bank', 'the tax office'):
        greeting = 'Dear Sir or Madam,'
    return who, greeting, ('them', 'their', 'they')


def letter(words):
    who, greeting, (them, their, they) = recipient(words)
    parts = [told(words, {'o': them, 'p': their, 's': they}) for _ in range(words.pick([1, 1, 1, 2, 2, 3]))]
    sender = words.pick([words.person(), words.company(), words.first(), f'{words.person()}, {words.pick(ROLE)}']) if words.chance(0.6) else None
    date = words.date() if words.chance(0.3) else None
    address = words.address() if words.chance(0.2) else None
    facts = [fact for part in parts for fact in part[4]] + [text for text in (sender, date, address) if text]
    if not who.startswith(('our', 'my', 'all', 'the')):
        facts.append(who)
    order = letter_order(words, who, parts, sender, date, address)
    name = who if not who.startswith(('our', 'my', 'all', 'the')) else None
    head = [lines(name, address)] if name and (address or words.chance(0.0)) else [paragraph(address)] if address else []
    body = head + ([paragraph(date)] if date else []) + [paragraph(greeting)]
    body += [paragraph(part[3]) for part in parts]
    body.append(lines('Yours sincerely,', sender) if sender else paragraph('Yours sincerely'))
    if name and name not in greeting and not address:
        body.insert(0, paragraph(name))
    return order, page(f'Letter to {who}', '\n'.join(body)), facts


def letter_order(words, who, parts, sender, date, address):
    ings = joined([f'{part[1]} {part[2]}' for part in parts])
    tos = joined([f'{part[0]} {part[2]}' for part in parts])
    wishes = ' '.join(sentence(f'{part[0]} {part[2]}') for part in parts)
    kind = words.pick(['letter', 'letter', 'letter', 'short letter', 'formal letter', 'friendly letter', 'note', 'one-page letter', 'business letter'])
    said = words.pick([
        f'Write a {kind} to {who} {ings}.', f'A {kind} to {who} {ings}.', f'Please write a {kind} to {who} to {tos}.', f'{kind.capitalize()} to {who}: {wishes}', f'Draft a {kind} to {who}. {wishes}',
        f'I need a {kind} for {who} {ings}.', f'Can you write a {kind} to {who} {ings}?', f'Write to {who}. {wishes}', f'create a {kind} addressed to {who} {ings}', f'Make me a {kind} {ings}, to {who}.',
    ])
    rest = []
    if sender:
        rest.append(words.pick([f'It is from {sender}.', f'Signed by {sender}.', f'Sign it {sender}.', f'Sender: {sender}.', f'From {sender}.', f'My name is {sender}.', f'Sign as {sender}.']))
    if date:
        rest.append(words.pick([f'Date it {date}.', f'Dated {date}.', f'Date: {date}', f"Today's date is {date}."]))
    if address:
        rest.append(words.pick([f'Address: {address}.', f'The address is {address}.', f'Send it to {address}.']))
    words.random.shuffle(rest)
    return ' '.join([said, *rest])


def invoice(words):
    kind = words.pick(['Invoice', 'Invoice', 'Invoice', 'Quote', 'Receipt', 'Offer', 'Order confirmation', 'Reminder'])
    seller, buyer = words.company(), words.pick([words.company(), words.person(), words.titled()])
    items = words.some(THING + SERVICE, 1, 4)
    counts = [words.random.randint(1, 12) for _ in items]
    prices = [words.amount(3, 900) for _ in items]
    number = words.number() if words.chance(0.6) else None
    date = words.date() if words.chance(0.5) else None
    due = words.pick([words.date(), 'within 14 days', 'within 30 days']) if words.chance(0.35) else None
    total = words.amount(50, 9000) if words.chance(0.45) else None
    has_counts = words.chance(0.6)
    has_seller = words.chance(0.75)
    wished = []
    for item, count, price in zip(items, counts, prices):
        wished.append(words.pick([f'{count} x {item} at {price}', f'{count} {item} for {price} each', f'{count} × {item}, {price} each']) if has_counts else words.pick([f'{item} {price}', f'{item} for {price}', f'{item}: {price}']))
    article = 'an' if kind[0] in 'IO' else 'a'
    low = kind.lower()
    sides = f' from {seller} to {buyer}' if has_seller else f' for {buyer}'
    said = words.pick([f'Write {article} {low}{sides} for {given(words, wished)}.', f'{kind}{sides}: {given(words, wished)}.', f'Make {article} {low}{sides}. Items: {given(words, wished)}.', f'I need {article} {low}{sides} with these items: {given(words, wished)}.'])
    rest = []
    if number:
        rest.append(words.pick([f'{kind} number {number}.', f'Number: {number}.', f'The number is {number}.']))
    if date:
        rest.append(words.pick([f'Date: {date}.', f'Dated {date}.', f'The date is {date}.']))
    if total:
        rest.append(words.pick([f'The total is {total}.', f'Total: {total}.', f'Total amount {total}.']))
    if due:
        rest.append(words.pick([f'Payable {due}.', f'Payment is due {due}.', f'Due: {due}.']))
    words.random.shuffle(rest)
    body = [f'<h1>{kind}</h1>']
    if has_seller:
        body.append(paragraph(f'From: {seller}'))
    body.append(paragraph(f'To: {buyer}'))
    if number:
        body.append(paragraph(f'{kind} number: {number}'))
    if date:
        body.append(paragraph(f'Date: {date}'))
    rows = [[item, str(count), price] if has_counts else [item, price] for item, count, price in zip(items, counts, prices)]
    body.append(table(['Item', 'Quantity', 'Price'] if has_counts else ['Item', 'Price'], rows))
    if total:
        body.append(f'<p><strong>Total: {escape(total)}</strong></p>')
    if due:
        body.append(paragraph(f'Due: {due}'))
    facts = [*items, *prices, buyer] + ([seller] if has_seller else []) + [text for text in (number, date, due, total) if text]
    return ' '.join([said, *rest]), page(kind, '\n'.join(body)), facts


def notice(words):
    points = [stated(words) for _ in range(words.pick([1, 1, 1, 2, 2, 3]))]
    texts = [text for text, _ in points]
    kind = words.pick(['notice', 'notice', 'sign', 'poster', 'announcement', 'memo', 'door sign', 'flyer'])
    article = 'an' if kind[0] in 'aeiou' else 'a'
    place = words.pick(PLACE) if words.chance(0.25) else None
    where = f' for {place}' if place else ''
    heading = {'memo': 'Memo', 'announcement': 'Announcement'}.get(kind, 'Notice')
    given_heading = words.pick(['Important', 'Attention', 'Please note', 'Information', 'Closed', 'House rules', words.pick(TOPIC).removeprefix('the ').capitalize()]) if words.chance(0.3) else None
    sender = words.pick([words.person(), words.company()]) if words.chance(0.3) else None
    said = words.pick([
        f'Make {article} {kind}{where} that says that {joined(texts)}.', f'{kind.capitalize()}{where}: {". ".join(map(sentence, texts)).replace("..", ".")}', f'Write {article} {kind}{where}: {joined(texts)}.', f'A {kind}{where} saying {joined(texts)}' if article == 'a' else f'An {kind}{where} saying {joined(texts)}',
        f'Please write {article} {kind}{where} telling people that {joined(texts)}.', f'We need {article} {kind}{where}. {" ".join(map(sentence, texts))}',
    ])
    if given_heading:
        said += words.pick([f' Heading: {given_heading}.', f' The heading is "{given_heading}".', f' Title it {given_heading}.'])
    if sender:
        said += words.pick([f' Signed {sender}.', f' From {sender}.', f' It is signed by {sender}.'])
    title = given_heading or heading
    body = [f'<h1>{escape(title)}</h1>', *[paragraph(sentence(text)) for text in texts]]
    if place and place not in ' '.join(texts):
        body.insert(1, paragraph(place[0].upper() + place[1:]))
    if sender:
        body.append(paragraph(sender))
    facts = [fact for _, own in points for fact in own] + [text for text in (given_heading, sender, place) if text]
    return said, page(title, '\n'.join(body)), facts


def list_page(words):
    pools = {'shopping list': FOOD, 'packing list': PACK, 'to-do list': TASK, 'checklist': TASK, 'list': words.pick([FOOD, PACK, TASK, THING]), 'inventory': THING, 'wish list': THING}
    kind = words.pick(list(pools))
    items = words.some(pools[kind], 3, 9)
    about = words.pick([f' for {words.day()}', f' for {words.first()}', f' for the {words.pick(OCCASION)}', f' for the trip to {words.pick(["Rome", "Oslo", "the mountains", "the sea", "Lisbon"])}', '', ''])
    ordered = words.chance(0.15)
    article = 'an' if kind[0] in 'aeiou' else 'a'
    number = 'numbered ' if ordered else ''
    article = 'a' if ordered else article
    said = words.pick([f'Make {article} {number}{kind}{about}: {given(words, items)}', f'{article.capitalize()} {number}{kind}{about} with {given(words, items)}.', f'Write {article} {number}{kind}{about}. Items: {given(words, items)}.', f'Please create {article} {number}{kind}{about} with these entries: {given(words, items)}.', f'{(number + kind).capitalize()}{about}: {given(words, items)}.'])
    title = kind.capitalize() + about
    return said, page(title, f'<h1>{escape(title)}</h1>\n{listed([item[0].upper() + item[1:] for item in items], "ol" if ordered else "ul")}'), items


TABLES = [
    ('price list', 'Item', 'Price', THING, lambda w: w.amount(2, 900)), ('price list', 'Service', 'Price', SERVICE, lambda w: w.amount(20, 900)), ('timetable', 'Event', 'Time', [o.capitalize() for o in OCCASION], lambda w: w.time()),
    ('schedule', 'Task', 'Day', TASK, lambda w: w.day()), ('telephone list', 'Name', 'Telephone', None, lambda w: w.phone()), ('contact list', 'Name', 'E-mail', None, lambda w: w.mail()), ('duty roster', 'Day', 'Name', 'Monday Tuesday Wednesday Thursday Friday'.split(), lambda w: w.person()),
    ('course list', 'Course', 'Begins', [c[0].upper() + c[1:] for c in COURSE], lambda w: w.date()), ('table of costs', 'Item', 'Cost', SERVICE, lambda w: w.amount(20, 5000)), ('menu', 'Dish', 'Price', 'Tomato soup|Green salad|Grilled fish|Chicken curry|Mushroom risotto|Apple pie|Chocolate cake|Lemonade|Red wine|Coffee|Pizza Margherita|Vegetable lasagne|Beef stew|Ice cream|Pancakes'.split('|'), lambda w: w.amount(3, 40)),
    ('opening hours', 'Day', 'Hours', 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(), lambda w: f'{w.time()} to {w.time()}'), ('score table', 'Name', 'Points', None, lambda w: str(w.random.randint(1, 300))), ('stock list', 'Article', 'Quantity', THING, lambda w: str(w.random.randint(1, 500))),
    ('price list', 'Product', 'Price', FOOD, lambda w: w.amount(1, 20)), ('table of birthdays', 'Name', 'Birthday', None, lambda w: w.date()), ('room plan', 'Room', 'Group', [f'Room {n}' for n in range(1, 30)], lambda w: f'Group {w.pick("ABCDEFGH")}'),
]


def table_page(words):
    kind, one, two, pool, value = words.pick(TABLES)
    names = words.some(pool, 2, 6) if pool else [words.person() if words.chance(0.7) else words.first() for _ in range(words.random.randint(2, 6))]
    names = list(dict.fromkeys(names))
    rows = [[name, value(words)] for name in names]
    third = None
    if words.chance(0.25):
        third = words.pick([('Note', lambda: words.pick(['new', 'paid', 'open', 'done', 'urgent', 'checked'])), ('Number', lambda: str(words.random.randint(1, 99))), ('Place', lambda: words.pick(PLACE))])
        rows = [[*row, third[1]()] for row in rows]
    head = [one, two] + ([third[0]] if third else [])
    of = words.company() if words.chance(0.3) else None
    for_whom = f' of {of}' if of else ''
    form = words.pick([': ', ' ', ' - ', ', '])
    written = [form.join(row[:2]) + (f' ({row[2]})' if third else '') for row in rows]
    says_head = words.chance(0.5) or third
    said = words.pick([f'Make a {kind}{for_whom}', f'A {kind}{for_whom}', f'Write a {kind}{for_whom} as a table', f'Create a table: {kind}{for_whom}', f'Please make a {kind}{for_whom}'])
    if says_head:
        said += words.pick([f' with the columns {joined([h.lower() for h in head])}', f', columns {", ".join(head)}'])
    said += ': ' + given(words, written)
    title = kind.capitalize() + for_whom
    return said, page(title, f'<h1>{escape(title)}</h1>\n{table(head, rows)}'), [cell for row in rows for cell in row] + ([of] if of else [])


def certificate(words):
    who, course = words.person(), words.pick(COURSE)
    kind = words.pick(['Certificate', 'Certificate', 'Certificate of attendance', 'Diploma', 'Award'])
    reason, line = words.pick([
        (f'for completing the {course} course', f'has completed the {course} course'), (f'who took part in the {course} course', f'took part in the {course} course'), (f'for passing the {course} exam', f'has passed the {course} exam'),
        (f'for {(n := words.random.randint(2, 40))} years of service as a {(r := words.pick(ROLE))}', f'for {n} years of service as a {r}'), (f'for winning the {(o := words.pick(["chess", "running", "baking", "spelling", "drawing", "reading", "swimming"]))} competition', f'has won the {o} competition'),
    ])
    facts = [who]
    facts += [course] if course in reason else []
    date = words.date() if words.chance(0.6) else None
    issuer = words.pick([words.company(), words.person()]) if words.chance(0.6) else None
    city = words.pick(['Vienna', 'Leeds', 'Oslo', 'Porto', 'Boston', 'Lyon']) if words.chance(0.2) else None
    grade = words.pick(['with distinction', 'with the grade A', 'with 92 points', 'with the grade good']) if words.chance(0.2) else None
    low = kind.lower()
    article = 'an' if low[0] == 'a' else 'a'
    said = words.pick([f'Make {article} {low} for {who} {reason}', f'{kind} for {who} {reason}', f'Write {article} {low} {reason}; it goes to {who}' if not reason.startswith('who') else f'Write {article} {low} for {who} {reason}', f'I need {article} {low} for {who}, {reason}'])
    said += f' {grade}.' if grade else '.'
    rest = []
    if date:
        rest.append(words.pick([f'Date: {date}.', f'Dated {date}.', f'Issued on {date}.']))
    if issuer:
        rest.append(words.pick([f'Issued by {issuer}.', f'Signed by {issuer}.', f'From {issuer}.']))
    if city:
        rest.append(f'Place: {city}.')
    body = [f'<h1>{kind}</h1>', f'<h2>{escape(who)}</h2>', paragraph(f'{line}{" " + grade if grade else ""}.')]
    if city or date:
        body.append(paragraph(', '.join(text for text in (city, date) if text)))
    if issuer:
        body.append(paragraph(issuer))
    return ' '.join([said, *rest]), page(f'{kind} for {who}', '\n'.join(body), style=CENTRED), facts + [text for text in (date, issuer, city, grade) if text]


def minutes(words):
    topic = words.pick(TOPIC)
    people = [words.person() if words.chance(0.5) else words.first() for _ in range(words.random.randint(2, 5))]
    points = [stated(words) for _ in range(words.random.randint(1, 4))]
    date = words.date() if words.chance(0.7) else None
    place = words.pick(PLACE) if words.chance(0.3) else None
    said = words.pick([f'Write the minutes of the meeting on {topic}', f'Minutes of a meeting about {topic}', f'Meeting minutes, topic {topic}', f'Please write minutes for our meeting about {topic}'])
    said += (f' on {date}' if date else '') + (f' in {place}' if place else '') + '.'
    said += words.pick([f' Present: {", ".join(people)}.', f' Participants were {joined(people)}.', f' {joined(people)} were there.'])
    said += words.pick([f' Decisions: {"; ".join(text for text, _ in points)}.', f' Points: {given(words, [text for text, _ in points])}.', ' ' + ' '.join(sentence(text) for text, _ in points)])
    title = f'Minutes: {topic.removeprefix("the ")}'
    body = [f'<h1>{escape(title)}</h1>']
    if date:
        body.append(paragraph(f'Date: {date}'))
    if place:
        body.append(paragraph(f'Place: {place}'))
    body += [paragraph(f'Present: {", ".join(people)}'), '<h2>Points</h2>', listed([sentence(text) for text, _ in points])]
    return said, page(title, '\n'.join(body)), [topic.removeprefix('the '), *people, *[fact for _, own in points for fact in own], *[text for text in (date, place) if text]]


def invitation(words):
    occasion, host = words.pick(OCCASION), words.pick([words.first(), words.person(), words.company(), f'{words.first()} and {words.first()}'])
    whose = words.chance(0.5)
    date, time, place = words.date(), words.time(), words.pick([*PLACE, words.address()])
    reply = words.pick([words.phone(), words.mail(), words.date()]) if words.chance(0.4) else None
    bring = words.pick(['a salad', 'a towel', 'good shoes', 'a friend', 'a cake', 'warm clothes']) if words.chance(0.25) else None
    guest = words.pick([words.first(), words.titled(), 'all neighbours', 'our friends', 'all colleagues']) if words.chance(0.35) else None
    what = f"{host}'s {occasion}" if whose else f'a {occasion}' if occasion[0] not in 'aeio' else f'an {occasion}'
    to = f' for {guest}' if guest else ''
    said = words.pick([f'Write an invitation{to} to {what} on {date} at {time}, {place}.', f'Invitation{to} to {what}: {date}, {time}, {place}.', f'Make an invitation card{to} for {what}. Date {date}, time {time}, place {place}.', f'Please create an invitation{to} to {what} at {place} on {date} at {time}.'])
    if not whose:
        said += words.pick([f' Host: {host}.', f' From {host}.', f' {host} invites.'])
    if reply:
        said += words.pick([f' Answer to {reply}.', f' RSVP: {reply}.', f' Reply by {reply}.']) if not reply[0].isdigit() else f' RSVP: {reply}.'
    if bring:
        said += words.pick([f' Please bring {bring}.', f' Guests should bring {bring}.'])
    body = ['<h1>Invitation</h1>']
    if guest:
        body.append(paragraph(f'Dear {guest.split(" ", 1)[1] if guest.startswith(("all", "our")) else guest},'))
    body += [paragraph(f'You are invited to {what}.'), lines(f'Date: {date}', f'Time: {time}', f'Place: {place}')]
    if bring:
        body.append(paragraph(f'Please bring {bring}.'))
    if reply:
        body.append(paragraph(f'RSVP: {reply}'))
    if not whose:
        body.append(paragraph(host))
    return said, page(f'Invitation to {what}', '\n'.join(body), style=CENTRED), [occasion, date, time, place, host] + [text for text in (reply, bring) if text]


def report(words):
    topic = words.pick([*TOPIC, words.pick(SERVICE), f'the project in {words.pick(["Oslo", "Leeds", "Lyon", "Delhi", "Boston"])}'])
    heads = words.some(['Summary', 'Results', 'Costs', 'Problems', 'Next steps', 'Staff', 'Background', 'Recommendation', 'Figures', 'Schedule'], 1, 3) if words.chance(0.55) else []
    author = words.person() if words.chance(0.4) else None
    kind = words.pick(['report', 'report', 'short report', 'summary', 'status report', 'memo', 'one-page report'])
    sections, said, facts = [], f'{words.pick(["Write a", "A", "Please write a", "Create a", "I need a"])} {kind} on {topic}', []
    if author:
        said += words.pick([f' by {author}', f', author {author}'])
        facts.append(author)
    if heads:
        parts = []
        for head in heads:
            points = [stated(words) for _ in range(words.pick([1, 1, 2]))]
            facts += [fact for _, own in points for fact in own]
            parts.append(f'{head}: {" ".join(sentence(text) for text, _ in points)}')
            sections += [f'<h2>{head}</h2>', *[paragraph(sentence(text)) for text, _ in points]]
        said += words.pick([f' with the sections {joined(heads)}. ', '. ', ', with these sections: ']) + words.pick([' ', '\n']).join(parts)
    else:
        points = [stated(words) for _ in range(words.random.randint(1, 4))]
        facts += [fact for _, own in points for fact in own]
        said += '. ' + words.pick([' '.join(sentence(text) for text, _ in points), f'Facts: {given(words, [text for text, _ in points])}', f'It says that {joined([text for text, _ in points])}.'])
        sections = [paragraph(sentence(text)) for text, _ in points]
    title = f'Report on {topic}' if 'report' in kind else f'{kind.capitalize()}: {topic.removeprefix("the ")}'
    body = [f'<h1>{escape(title)}</h1>'] + ([paragraph(f'By {author}')] if author else []) + sections
    return said, page(title, '\n'.join(body)), [*facts, topic.removeprefix('the ')]


def agenda(words):
    topics = [topic[0].upper() + topic[1:] for topic in words.some([t.removeprefix('the ') for t in TOPIC], 2, 5)]
    date, time, place = words.date(), words.time(), words.pick(PLACE)
    timed = words.chance(0.5)
    points = [f'{words.time()} {topic}' if timed else topic for topic in topics]
    said = f'{words.pick(["Agenda for the", "Write an agenda for the", "Make an agenda for our"])} meeting on {date} at {time} in {place}: {given(words, points)}'
    body = f'<h1>Agenda</h1>\n{lines(f"Date: {date}", f"Time: {time}", f"Place: {place}")}\n{listed(points, "ol")}'
    return said, page('Agenda', body), [*points, date, time, place]


def form(words):
    """Pairs of a name and a value, as in a data sheet, a name tag or a profile."""
    pools = {'Name': words.person, 'Telephone': words.phone, 'E-mail': words.mail, 'Address': words.address, 'Company': words.company, 'Date': words.date, 'Customer number': lambda: words.number(''), 'Amount': words.amount, 'Job': lambda: words.pick(ROLE), 'Time': words.time, 'Room': lambda: words.pick(PLACE), 'Article': lambda: words.pick(THING)}
    chosen = words.some(list(pools), 2, 6)
    pairs = [(name, pools[name]()) for name in chosen]
    kind = words.pick(['data sheet', 'profile', 'order form', 'visitor pass', 'delivery note', 'customer card', 'reservation', 'booking confirmation', 'receipt', 'label'])
    article = 'an' if kind[0] in 'aeiou' else 'a'
    said = f'{words.pick(["Make", "Write", "Create", "Please make"])} {article} {kind}: ' + words.pick([', ', '; ', '\n']).join(words.pick([f'{n}: {v}', f'{n.lower()} {v}']) for n, v in pairs)
    body = f'<h1>{kind.capitalize()}</h1>\n' + (table(['Field', 'Value'], pairs) if words.chance(0.0) else '\n'.join(paragraph(f'{n}: {v}') for n, v in pairs))
    return said, page(kind.capitalize(), body), [value for _, value in pairs]


KINDS = [(letter, 30), (invoice, 13), (notice, 12), (list_page, 7), (table_page, 9), (certificate, 7), (minutes, 6), (invitation, 8), (report, 8), (agenda, 3), (form, 4), (letter_abroad, 4), (free_document, 90)]
SYSTEMS = [None] * 12 + ['You are a helpful assistant.', 'You write documents for a small company.', 'Be brief.']


def document(words):
    """(instruction, HTML, facts)."""
    make = words.random.choices([kind for kind, _ in KINDS], [share for _, share in KINDS])[0]
    order, written, facts = make(words)
    if words.chance(0.12):
        order = order[0].lower() + order[1:]
    if words.chance(0.08):
        order = words.pick(['Hi, ', 'Hello! ', 'Please: ', 'Could you help me? ']) + order
    return order, written, facts


def document_prompt(order, system=None):
    return chat_prompt([('user', f'{RULES}\n{order}')], system)


def document_example(words):
    order, written, _ = document(words)
    return document_prompt(order, words.pick(SYSTEMS)), written
