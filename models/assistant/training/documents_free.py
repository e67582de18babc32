"""Documents of many kinds whose facts stand anywhere in the instruction. Each clause of the instruction becomes a sentence of the document, word by word."""

from statements import fill, sentence, stated
from words import DAYS, FOOD, PACK, PLACE, ROLE, TASK, THING

# Clauses as people write them into a request, beside those of statements.py.
CLAUSES = '''
the {odd} broke in {month}
we had {count} {odd} parts left over
{count} pupils helped
they planted {count} {odd} trees
repairs cost {amount}
{person} asks {company} for {amount}
a new {odd} was bought for {amount}
{first} bought {few} {thing} for {amount}
the hot water is off on {date} between {time} and {time2}
the {odd} is closed because of {odd2} work
we are sorry for the trouble
we apologise for this
drinks are free
food and drinks are included
children under {few} enter free
please ring the bell twice
please keep the {odd} closed
please do not feed the {odd}
please park behind {place}
back at {time}
back in {few} minutes
gone to {place}
out of order
wet paint
free entry
the {odd} on the left is broken
use the stairs
use the side entrance on {street}
only for members
sold out until {date}
the {time} train to {city} on {date} was {count} minutes late
I missed {odd} because of it
I want my {amount} back
I want a refund of {amount}
I have lived here for {few} years
I worked as a {role} for {few} years
I speak {few} languages
I leave {company} on {date}
my last day is {date}
my flat is at {address}
my customer number is {number}
my order {number} did not arrive
the {thing} I bought on {date} does not work
thanks for {few} good years
many thanks for your help
I cannot come on {day} because my {odd} is ill
{first} was ill from {date} to {date2}
{first} is {count} years old and lives in {city}
he finished the {course} training on {date}
she passed the {course} exam with {percent} points
the trainer was {person}
the teacher was {person}
it was signed by {person}
the course took {few} days
{person} won {odd}
first place goes to {person} with {count} points
rooms cost {amount} a night
breakfast costs {amount} extra
the flat has {few} rooms and {count} square metres
the rent is {amount} a month
the deposit is {amount}
the {odd} is {colour} and {few} years old
the cat is {colour} and answers to {first}
lost near {place} on {date}
finders call {phone}
there is a reward of {amount}
the phone number is {phone}
call {person} at {phone}
write to {mail}
register at {mail} until {date}
doors open at {time}
the show begins at {time} and ends at {time2}
tickets are {amount}, at the door {amount2}
the band is called {company}
we start at {place} at {time}
we meet every {day} at {time}
{first} brings the {odd}
{first} and {first2} take the {odd}
{person} opens the meeting at {time}
{person} reports on the {odd}
the accounts were approved with {count} votes
{count} voted for it and {count2} against it
the proposal of {person} was rejected
the club has {count} members
the fee goes up from {amount} to {amount2}
the {odd} is bought next {month}
the next date is {date}
the speed limit is {count} km/h
the maximum load is {count} kg
store it below {count} degrees
shake well before use
best before {date}
made in {city} by {company}
batch {number}
article {number}, {count} pieces
it weighs {count} g
bake for {count} minutes at {count2} degrees
wash at {few}0 degrees
mix {count} g of flour with {few} eggs
serves {few}
takes {count} minutes
wear a helmet
keep away from children
in case of fire call {phone}
do not use the lift
assembly point is {place}
{company} and {company2} work together from {date}
{company} delivered {count} {thing}
the contract runs for {few} years
it can be ended with a notice of {few} weeks
interest is {percent} percent
the total is {amount}
it is payable by {date}
pay to {company}, reference {number}
delivery to {address}
the driver is {person}
licence plate {number}
the bus leaves {place} at {time}
arrival at {time} in {city}
platform {few}
seat {number}
the hotel is {company} at {address}
day one: {city}, day two: {city2}
visitors rose from {count} to {count2}
{percent} percent were content
turnover was {amount}
costs fell by {percent} percent
the {odd} project is late by {few} weeks
the risk is {odd}
the next step is the {odd}
{person} is responsible for it
{person} takes over from {person2} on {date}
{person} was born on {date} in {city}
studied in {city}
knows {odd} and {odd2}
likes {odd}
'''.strip().split('\n')

# The kind as it is named in the instruction, and the heading.
PAGES = '''
memo|Memo;;poster|Poster;;flyer|Flyer;;notice|Notice;;sign|Notice;;door sign|Notice;;label|Label;;programme|Programme;;press release|Press release;;newsletter|Newsletter;;fact sheet|Fact sheet;;summary|Summary;;report|Report;;short report|Report;;one page report|Report;;
minutes|Minutes;;meeting notes|Meeting notes;;plan|Plan;;checklist|Checklist;;set of rules|Our rules;;house rules|House rules;;safety instruction|Safety instruction;;instruction sheet|Instructions;;recipe card|Recipe;;job advert|Job advert;;advert|Advert;;rental advert|Advert;;lost and found note|Notice;;
profile|Profile;;CV|CV;;biography|Biography;;statement|Statement;;declaration|Declaration;;agreement|Agreement;;contract|Contract;;certificate|Certificate;;confirmation|Confirmation;;receipt|Receipt;;delivery note|Delivery note;;packing slip|Packing slip;;invitation|Invitation;;announcement|Announcement;;
itinerary|Itinerary;;timetable|Timetable;;price list|Price list;;menu|Menu;;product sheet|Product sheet;;protocol|Protocol;;work order|Work order;;repair order|Repair order;;inspection report|Inspection report;;accident report|Accident report;;progress report|Progress report;;proposal|Proposal;;offer|Offer;;
guide|Guide;;card|Card;;birthday card|Happy birthday;;thank-you card|Thank you;;name badge|Badge;;ticket|Ticket;;voucher|Voucher;;questionnaire|Questionnaire;;information sheet|Information;;handout|Handout;;one-pager|Information;;warning|Warning;;agenda|Agenda;;to-do list|To-do list;;note|Note'''.replace('\n', '').split(';;')
PAGES = [page.split('|') for page in PAGES]
LETTERS = 'letter|complaint|letter of complaint|resignation letter|letter of resignation|application|cover letter|thank-you letter|cancellation|reminder|reference letter|apology|absence note|request|enquiry|invitation letter|letter of recommendation|confirmation letter|objection|farewell letter|welcome letter|notice of termination|short letter|formal letter|note'.split('|')
AUDIENCES = 'our customers|all members|the residents of {house}|the parents of class {few}b|our neighbours|the team|all tenants|all staff|the guests of {house}|our suppliers|the visitors|everyone at {company}|the players|the volunteers|the {role}s'.split('|')
LEADS = ['Write {a}', 'Write {a}', 'Make {a}', 'Make me {a}', 'Please write {a}', 'Please make {a}', 'Create {a}', 'I need {a}', 'I want {a}', 'Can you write {a}', 'Draft {a}', 'We need {a}', 'Prepare {a}', 'Design {a}', 'Put together {a}', 'Generate {a}', '{A}', '{A}', '{bare}', '{bare}', '{bare}', 'Could you do {a}', 'Type up {a}', 'Set up {a}']


def with_article(kind):
    return f'{"an" if kind[0] in "aeiou" else "a"} {kind}' if kind not in ('minutes', 'meeting notes', 'house rules') else kind


def lead_of(words, kind):
    named = with_article(kind)
    return words.pick(LEADS).format(a=named, A=named[0].upper() + named[1:], bare=words.pick([kind, kind[0].upper() + kind[1:]]))


def clause(words, texts):
    """(clause, facts) from the lists, or a short sentence of an ordinary text."""
    form = words.random.random()
    if texts and form < 0.15:
        text = words.pick(texts)
        return text, [text]
    if form < 0.45:
        return stated(words)
    (text,), facts = fill(words, words.random.choice(CLAUSES))
    return text, facts or [text]


def clauses(words, least, most, texts):
    made = {}
    for _ in range(words.random.randint(least, most)):
        text, facts = clause(words, texts)
        made.setdefault(text, facts)
    return list(made), [fact for facts in made.values() for fact in facts]


def told_as(words, texts):
    """Clauses as one request holds them."""
    form = words.random.randrange(9)
    if form <= 2:
        return ' '.join(map(sentence, texts))
    if form == 3:
        return ', '.join(texts)
    if form == 4:
        return '\n' + '\n'.join(f'- {text}' for text in texts)
    if form == 5:
        return '; '.join(texts)
    if form == 6:
        return (', '.join(texts[:-1]) + ' and ' if len(texts) > 1 else '') + texts[-1] + '.'
    if form == 7:
        return '\n' + '\n'.join(sentence(text) for text in texts)
    return '. '.join(text[0].upper() + text[1:] for text in texts)


def free_page(words, texts):
    from documents import escape, listed, page, paragraph

    kind, heading = words.pick(PAGES)
    said, facts = clauses(words, 1, 6, texts)
    lead = lead_of(words, kind)
    subject = words.pick([words.odd(), words.company(), words.person(), words.pick(PLACE).removeprefix('the '), words.name()]) if words.chance(0.4) else None
    date = words.date() if words.chance(0.2) else None
    sender = words.pick([words.person(), words.company(), words.first(), f'{words.person()}, {words.pick(ROLE)}', 'the management', 'Building management', 'Your team', f'the {words.pick(ROLE)}']) if words.chance(0.35) else None
    title = words.pick([sentence(words.odd()).rstrip('.'), words.company(), 'Important', 'Attention', f'{words.odd().capitalize()} {words.random.randint(2, 99)}']) if words.chance(0.15) else None
    about = words.pick([' for {s}', ' about {s}', ' on {s}', ': {s}', ' of {s}']).format(s=subject) if subject else ''
    rest = []
    if title:
        rest.append(words.pick([f'Title: {title}.', f'The heading is "{title}".', f'Heading: {title}.', f'Call it "{title}".']))
    if date:
        rest.append(words.pick([f'Date: {date}.', f'Dated {date}.', f'It is from {date}.', f'Date is {date}.']))
    if sender:
        rest.append(words.pick([f'Signed by {sender}.', f'From {sender}.', f'- {sender}', f'Signed {sender}', f'Sender: {sender}.', f'{sender} signs it.']))
    told = told_as(words, said)
    form = words.random.randrange(8)
    if form == 0 and not lead[0].islower():
        # The wish comes last.
        order = f'{" ".join(map(sentence, said))} {words.pick(["Make", "Please make", "Write", "Put that into"])} {with_article(kind)}{about.replace(": ", " for ")}.'
    elif form == 1:
        order = f'{lead}{about} {words.pick(["that says", "saying", "with the text", "which says"])}{words.pick([": ", " "])}{told.strip() if form != 4 else told}'
    elif form == 2:
        order = f'{lead}{about}. {told.strip()}'
    else:
        order = f'{lead}{about}{words.pick([": ", ". ", ", ", ": "])}{told.lstrip() if words.chance(0.5) else told}'
    if form == 4 and rest:
        order = ' '.join([rest[0], order, *rest[1:]]) if not rest[0].startswith('- ') else ' '.join([order, *rest])
    elif rest:
        end = '' if order[-1] in '.!?' else '.'
        order = ' '.join([order + end, *rest])
    head = title or (f'{heading}: {subject}' if subject and words.chance(0.999) else heading)
    body = [f'<h1>{escape(head)}</h1>']
    if title and subject:
        body.append(paragraph(subject[0].upper() + subject[1:]))
    if date:
        body.append(paragraph(date))
    as_list = '\n- ' in told or kind in ('checklist', 'to-do list', 'set of rules', 'house rules', 'agenda')
    body += [listed([sentence(text) for text in said])] if as_list else [paragraph(sentence(text)) for text in said]
    if sender:
        body.append(paragraph(sender[0].upper() + sender[1:]))
    return order, page(head, '\n'.join(body)), facts + [text for text in (subject, date, sender, title) if text]


def free_letter(words, texts):
    from documents import lines, page, paragraph

    kind = words.pick(LETTERS)
    said, facts = clauses(words, 1, 5, texts)
    who = words.pick([words.company(), words.company(), words.titled(), words.person(), words.first(), 'my landlord', 'the bank', 'the town hall', 'the school', 'my boss', f'the {words.pick(ROLE)} of {words.company()}']) if words.chance(0.8) else None
    me = words.pick([words.person(), words.person(), words.first(), f'{words.person()}, {words.company()}']) if words.chance(0.75) else None
    date = words.date() if words.chance(0.15) else None
    address = words.address() if words.chance(0.15) else None
    lead = lead_of(words, kind) + (words.pick([' to {w}', ' to {w}', ' for {w}', ', to {w}']).format(w=who) if who else '')
    if words.chance(0.12) and who:
        lead = f'{words.pick(["Write to", "Please write to", "I have to write to", "I need to write to"])} {who}'
    told = words.pick([' '.join(map(sentence, said)), ' '.join(map(sentence, said)), told_as(words, said).strip()])
    parts = [told + ('' if told[-1] in '.!?' else '.')]
    if me:
        own = words.pick([f'I am {me}.', f'My name is {me}.', f'Name: {me}.', f'Signed {me}.', f'From {me}.', f'Sender: {me}.', f'I am called {me}.', f'Sign it with {me}.'])
        parts.insert(words.pick([0, 1, 1]), own)
    if date:
        parts.append(words.pick([f'Date: {date}.', f'Dated {date}.']))
    if address:
        parts.append(words.pick([f'Their address is {address}.', f'Address: {address}.', f'Send to {address}.']))
    order = words.pick([f'{lead}. ', f'{lead}: ', f'{lead}. ', f'{lead}, ']) + ' '.join(parts)
    named = who and not who.startswith(('my ', 'the '))
    greeting = f'Dear {who},' if who and who.startswith(('Ms', 'Mr', 'Dr', 'Prof')) or (who and ' ' not in who and named) else 'Dear Sir or Madam,'
    receiver = who[0].upper() + who[1:].replace('y landlord', 'y landlord') if who and not who.startswith('my ') else None
    body = ([lines(receiver, address)] if receiver or address else []) + ([paragraph(date)] if date else []) + [paragraph(greeting), *[paragraph(sentence(text)) for text in said], lines('Yours sincerely,', me) if me else paragraph('Yours sincerely')]
    return order, page(f'{kind[0].upper()}{kind[1:]}' + (f' to {who}' if who else ''), '\n'.join(body)), facts + ([who] if named else []) + [text for text in (me, date, address) if text]


def announcement(words, texts):
    """Something to tell many people, with its sender at the end of the request."""
    from documents import escape, page, paragraph

    who = words.pick(AUDIENCES).format(house=words.pick(PLACE).removeprefix('the '), few=words.random.randint(1, 9), company=words.company(), role=words.pick(ROLE))
    said, facts = clauses(words, 1, 4, texts)
    sender = words.pick([words.person(), words.company(), 'Building management', 'The board', f'{words.first()}, {words.pick(ROLE)}']) if words.chance(0.55) else None
    verb = words.pick(['Tell {w} that', 'Please tell {w} that', 'Inform {w} that', 'Let {w} know that', 'Remind {w} that', 'A notice to {w}:', 'Announce to {w} that', 'Write to {w} that', 'Ask {w} to note that'])
    order = f'{verb.format(w=who)} {said[0]}' + (f'{words.pick([" and that ", " and ", ", and "])}{said[1]}' if len(said) > 1 and words.chance(0.5) else f'. {sentence(said[1])}' if len(said) > 1 else '')
    order = order.rstrip('.') + '.' + ''.join(f' {sentence(text)}' for text in said[2:])
    if sender:
        order += words.pick([f' - {sender}', f' Signed by {sender}.', f' {sender}', f' From {sender}.'])
    shown = who[0].upper() + who[1:]
    body = [f'<h1>Notice</h1>', paragraph(f'To {who}'), *[paragraph(sentence(text)) for text in said]] + ([paragraph(sender)] if sender else [])
    return order, page(f'Notice: {shown}', '\n'.join(body)), facts + ([sender] if sender else [])


def bill(words, texts):
    """An invoice with quantities as they were said."""
    from documents import escape, given, page, paragraph, table

    kind = words.pick(['invoice', 'invoice', 'invoice', 'quote', 'receipt', 'offer', 'bill', 'cost estimate', 'order'])
    buyer = words.pick([words.company(), words.company(), words.person()])
    address = words.address() if words.chance(0.4) else None
    seller = words.pick([words.company(), words.person()]) if words.chance(0.35) else None
    rows, wished = [], []
    for _ in range(words.random.randint(1, 4)):
        price = words.amount(3, 900)
        count = words.pick([str(words.random.randint(2, 40)), words.pick(['two', 'three', 'four', 'five', 'six', 'ten'])])
        form = words.random.randrange(6)
        service, thing = words.pick(['network repair', 'window cleaning', 'translation', 'garden work', 'tuition', f'{words.odd()} repair', f'{words.odd()} work', 'consulting']), words.pick(THING)
        item, shown, said = [
            (f'{count} hours of {service}', f'{price} each', f'{count} hours of {service} at {price} each'), (f'{count} hours of {service}', f'{price} per hour', f'{count} hours of {service} at {price} per hour'), (f'one new {thing}', price, f'one new {thing} for {price}'),
            (f'{count} {thing}', f'{price} each', f'{count} {thing} at {price} each'), (thing, price, f'{thing}, {price}'), (service, price, f'{service} for {price}'),
        ][form]
        rows.append([item[0].upper() + item[1:], shown])
        wished.append(said)
    total = words.amount(50, 9000) if words.chance(0.6) else None
    tax = f'{words.random.randint(3, 25)} % VAT' if words.chance(0.2) else None
    number = words.number() if words.chance(0.35) else None
    date = words.date() if words.chance(0.3) else None
    due = words.pick([f'by {words.date()}', f'within {words.random.randint(7, 60)} days', 'at once', 'in cash']) if words.chance(0.3) else None
    where = f', {address}' if address else ''
    order = words.pick(['{a} for {b}{w}: {i}.', 'Write {a} for {b}{w}: {i}.', '{b}{w} gets {a} for {i}.', 'Please make {a} to {b}{w} for {i}.', 'Bill {b}{w} for {i}.', 'I need {a}. Customer: {b}{w}. Items: {i}.']).format(a=with_article(kind), b=buyer, w=where, i=given(words, wished))
    order = order[0].upper() + order[1:]
    rest = [text for text in (
        words.pick([f'Total {total}.', f'That makes {total}.', f'Sum: {total}.', f'Altogether {total}.']) if total else None, words.pick([f'Plus {tax}.', f'It includes {tax}.']) if tax else None, words.pick([f'No. {number}.', f'Number {number}.', f'{kind.capitalize()} number {number}.']) if number else None,
        words.pick([f'Date {date}.', f'Dated {date}.', f'Of {date}.']) if date else None, words.pick([f'To be paid {due}.', f'Payable {due}.']) if due else None, words.pick([f'Seller is {seller}.', f'From {seller}.', f'We are {seller}.']) if seller else None) if text]
    words.random.shuffle(rest)
    heading = 'Order' if kind == 'order' else 'Invoice' if kind == 'bill' else kind.capitalize()
    body = [f'<h1>{heading}</h1>'] + ([paragraph(f'From: {seller}')] if seller else []) + [paragraph(f'To: {buyer}{where}')] + ([paragraph(f'Number: {number}')] if number else []) + ([paragraph(f'Date: {date}')] if date else [])
    body += [table(['Item', 'Price'], rows)] + ([paragraph(f'Tax: {tax}')] if tax else []) + ([f'<p><strong>Total: {escape(total)}</strong></p>'] if total else []) + ([paragraph(f'Payable {due}')] if due else [])
    return ' '.join([order, *rest]), page(heading, '\n'.join(body)), [cell for row in rows for cell in row] + [buyer] + [text for text in (address, seller, total, tax, number, date, due) if text]


COLUMNS = [('sleeps {n}', 'Sleeps'), ('costs {a}', 'Costs'), ('is {c}', 'Colour'), ('opens at {t}', 'Opens at'), ('has {n} seats', 'Seats'), ('weighs {n} kg', 'Weight'), ('begins on {d}', 'Begins'), ('is in {p}', 'Place'), ('belongs to {f}', 'Owner'), ('takes {n} minutes', 'Minutes'), ('got {n} points', 'Points'), ('leaves at {t}', 'Leaves at'), ('was built in {y}', 'Built')]
UNITS = {'has {n} seats': '{n}', 'weighs {n} kg': '{n} kg', 'takes {n} minutes': '{n}', 'got {n} points': '{n}', 'was built in {y}': '{y}'}


def told_table(words, texts):
    """A table whose rows are told in words."""
    from documents import escape, page, table

    columns = words.random.sample(COLUMNS, words.pick([1, 2, 2, 3]))
    names = list(dict.fromkeys(words.pick([words.name, lambda: words.odd().capitalize(), words.first])() for _ in range(words.random.randint(2, 5))))
    rows, wished = [], []
    for name in names:
        values = {'n': words.random.randint(1, 200), 'a': words.pick([words.amount(5, 400), str(words.random.randint(5, 400))]), 'c': words.pick('black white red blue green yellow'.split()), 't': words.time(), 'd': words.date(), 'p': words.pick(PLACE), 'f': words.first(), 'y': words.random.randint(1800, 2024)}
        cells, said = [], []
        for phrase, _ in columns:
            values['n'] = words.random.randint(1, 200)
            said.append(phrase.format(**values))
            cells.append(UNITS.get(phrase, phrase[phrase.index('{'):]).format(**values))
        rows.append([name, *cells])
        wished.append(f'{name} {said[0] if len(said) == 1 else ", ".join(said[:-1]) + " and " + said[-1]}')
    what = words.pick(['rooms', 'boats', 'tables', 'machines', 'courses', 'trains', 'huts', 'teams', 'cars', 'halls', f'{words.odd()}s'])
    order = words.pick(['A table of our {w}: ', 'Make a table of the {w}: ', 'Table with our {w}. ', 'Please put our {w} into a table: ', 'List our {w} in a table. ']).format(w=what) + words.pick([', ', '. ', '; ', '\n']).join(wished) + '.'
    title = what.capitalize()
    return order, page(title, f'<h1>{escape(title)}</h1>\n{table(["Name", *[head for _, head in columns]], rows)}'), [cell for row in rows for cell in row]


ABROAD = {
    'de': (['Aushang', 'Notiz', 'Bericht', 'Einladung', 'Protokoll', 'Mitteilung'], ['Erstelle: {k}. {t}', '{k}: {t}', 'Schreibe bitte ein Dokument ({k}): {t}', 'Mach daraus ein Blatt mit der Überschrift {k}. {t}'], ['Der Aufzug ist bis {date} außer Betrieb.', 'Das Büro ist am {date} geschlossen.', 'Die Sitzung beginnt um {time} Uhr.', 'Der Eintritt kostet {n} Euro.', '{name} ist krank.', 'Es kamen {n} Gäste.', 'Bitte rufen Sie {phone} an.', 'Treffpunkt ist {city}.', 'Die Rechnung {number} ist bezahlt.', 'Bitte bringen Sie {n} Kopien mit.', 'Wir haben {n} Bäume gepflanzt.']),
    'fr': (['Avis', 'Note', 'Rapport', 'Invitation', 'Compte rendu'], ['Écris un document : {k}. {t}', '{k} : {t}', 'Rédige : {k}. {t}'], ['Le magasin est fermé le {date}.', 'La réunion commence à {time}.', 'Le prix est de {n} euros.', '{name} sera absent.', '{n} personnes sont venues.', 'Appelez le {phone}.', 'Rendez-vous à {city}.', 'La facture {number} est payée.', 'Le chauffage sera coupé le {date}.']),
    'es': (['Aviso', 'Nota', 'Informe', 'Invitación', 'Acta'], ['Escribe un documento: {k}. {t}', '{k}: {t}', 'Haz un documento con el título {k}. {t}'], ['La tienda está cerrada el {date}.', 'La reunión empieza a las {time}.', 'El precio es de {n} euros.', '{name} no puede venir.', 'Vinieron {n} personas.', 'Llame al {phone}.', 'Nos vemos en {city}.', 'La factura {number} está pagada.', 'El ascensor no funciona.']),
    'it': (['Avviso', 'Nota', 'Relazione', 'Invito', 'Verbale'], ['Scrivi un documento: {k}. {t}', '{k}: {t}'], ["L'ufficio è chiuso il {date}.", 'La riunione comincia alle {time}.', 'Il prezzo è di {n} euro.', '{name} non può venire.', 'Sono venute {n} persone.', 'Chiamare il {phone}.', 'Ci vediamo a {city}.', 'La fattura {number} è stata pagata.']),
    'nl': (['Mededeling', 'Notitie', 'Verslag', 'Uitnodiging'], ['Schrijf een document: {k}. {t}', '{k}: {t}'], ['De winkel is op {date} gesloten.', 'De vergadering begint om {time}.', 'De prijs is {n} euro.', '{name} is ziek.', 'Er kwamen {n} gasten.', 'Bel {phone}.', 'Factuur {number} is betaald.']),
}


def page_abroad(words, texts):
    from documents import escape, page, paragraph

    lang = words.pick(list(ABROAD))
    kinds, orders, told = ABROAD[lang]
    kind = words.pick(kinds)
    said, facts = [], []
    for text in words.some(told, 1, 4):
        values = {'date': words.pick([f'{words.random.randint(1, 28)}.{words.random.randint(1, 12)}.202{words.random.randint(4, 8)}', f'{words.random.randint(1, 28)}/{words.random.randint(1, 12)}']), 'time': f'{words.random.randint(7, 21)}:{words.random.randint(0, 59):02}', 'n': str(words.random.randint(2, 400)), 'name': words.person(), 'phone': words.phone(), 'city': words.pick(['Wien', 'Lyon', 'Madrid', words.name()]), 'number': words.number()}
        said.append(text.format(**values))
        facts += [value for name, value in values.items() if '{' + name + '}' in text]
    order = words.pick(orders).format(k=kind, t=' '.join(said))
    return order, page(kind, '\n'.join([f'<h1>{escape(kind)}</h1>', *[paragraph(text) for text in said]]), lang=lang), facts


FREE = [(free_page, 34), (free_letter, 26), (announcement, 12), (bill, 14), (told_table, 8), (page_abroad, 6)]


def free_document(words):
    """(instruction, HTML, facts)."""
    make = words.random.choices([kind for kind, _ in FREE], [share for _, share in FREE])[0]
    return make(words, type(words).sentences)
