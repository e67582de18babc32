"""Sentences with facts in them, as people ask for them to be told."""

import re

from words import COLOUR, COURSE, OCCASION, PLACE, ROLE, SERVICE, TASK, THING, TOPIC

# Messages to a person: verb, its -ing form, the rest of the request, and the sentence of the letter.
# {o} is "her", {p} "her" and {s} "she" in the request; the sentence says "you" and "your".
TOLD = '''
thank|thanking|{o} for {p} order of {date}|Thank you for your order of {date}.
thank|thanking|{o} for {p} payment of {amount}|Thank you for your payment of {amount}.
thank|thanking|{o} for {p} letter of {date}|Thank you for your letter of {date}.
thank|thanking|{o} for {p} help with {topic}|Thank you for your help with {topic}.
thank|thanking|{o} for the {thing}|Thank you very much for the {thing}.
thank|thanking|{o} for visiting us on {date}|Thank you for visiting us on {date}.
thank|thanking|{o} for {p} interest in the position of {role}|Thank you for your interest in the position of {role}.
thank|thanking|{o} for {p} years of work as a {role}|Thank you for your years of work as a {role}.
confirm|confirming|{p} appointment on {date} at {time}|We confirm your appointment on {date} at {time}.
confirm|confirming|{p} order number {number}|We confirm your order number {number}.
confirm|confirming|the booking of {place} on {date}|We confirm the booking of {place} on {date}.
confirm|confirming|that we received {p} payment of {amount}|We have received your payment of {amount}.
confirm|confirming|{p} registration for the {course} course on {date}|We confirm your registration for the {course} course on {date}.
confirm|confirming|the meeting on {day} at {time} in {place}|We confirm the meeting on {day} at {time} in {place}.
remind|reminding|{o} of the open invoice {number} of {amount}|Our invoice {number} of {amount} is still open.
remind|reminding|{o} that the invoice of {amount} is due on {date}|Please remember that the invoice of {amount} is due on {date}.
remind|reminding|{o} of {p} appointment on {date} at {time}|We would like to remind you of your appointment on {date} at {time}.
remind|reminding|{o} to return the {thing} by {date}|Please return the {thing} by {date}.
remind|reminding|{o} to {task}|Please remember to {task}.
ask|asking|{o} to pay {amount} by {date}|Please pay {amount} by {date}.
ask|asking|{o} to call {person} at {phone}|Please call {person} at {phone}.
ask|asking|{o} to send the documents to {mail}|Please send the documents to {mail}.
ask|asking|{o} to come to {place} on {date} at {time}|Please come to {place} on {date} at {time}.
ask|asking|{o} for an offer for {service}|Please send us an offer for {service}.
ask|asking|{o} whether the {thing} is still available|Is the {thing} still available?
ask|asking|{o} to {task} before {day}|Please {task} before {day}.
ask|asking|{o} to sign the contract by {date}|Please sign the contract by {date}.
invite|inviting|{o} to our {occasion} on {date} at {time}|You are invited to our {occasion} on {date} at {time}.
invite|inviting|{o} to an interview on {date} at {time} in {place}|We would like to invite you to an interview on {date} at {time} in {place}.
invite|inviting|{o} to a meeting about {topic} on {day} at {time}|We invite you to a meeting about {topic} on {day} at {time}.
tell|telling|{o} that {p} {thing} will be delivered on {date}|Your {thing} will be delivered on {date}.
tell|telling|{o} that {p} {thing} is ready and can be collected until {date}|Your {thing} is ready and can be collected until {date}.
tell|telling|{o} that the {thing} is out of stock until {date}|The {thing} is out of stock until {date}.
tell|telling|{o} that we cannot accept {p} offer of {amount}|Unfortunately we cannot accept your offer of {amount}.
tell|telling|{o} that {s} got the job as {role}|We are pleased to tell you that you got the job as {role}.
tell|telling|{o} that {s} did not get the position of {role}|We are sorry to tell you that you did not get the position of {role}.
tell|telling|{o} that {p} rent will rise to {amount} from {date}|Your rent will rise to {amount} from {date}.
tell|telling|{o} that we will refund {amount}|We will refund you {amount}.
tell|telling|{o} that {person} will visit {o} on {day} at {time}|{person} will visit you on {day} at {time}.
tell|telling|{o} that our office moves to {address} on {date}|Our office moves to {address} on {date}.
tell|telling|{o} that we are closed from {date} to {date2}|We are closed from {date} to {date2}.
tell|telling|{o} that the {service} costs {amount}|The {service} costs {amount}.
tell|telling|{o} that {p} application was accepted|Your application was accepted.
tell|telling|{o} that {p} {course} course begins on {date}|Your {course} course begins on {date}.
inform|informing|{o} that {person} is {p} new contact|{person} is your new contact.
inform|informing|{o} that the power will be off on {date} from {time} to {time2}|The power will be off on {date} from {time} to {time2}.
inform|informing|{o} that the meeting on {topic} is moved to {date}|The meeting on {topic} is moved to {date}.
inform|informing|{o} that {p} contract number {number} ends on {date}|Your contract number {number} ends on {date}.
apologise|apologising|for the late delivery of the {thing}|We apologise for the late delivery of the {thing}.
apologise|apologising|for the noise on {date}|We apologise for the noise on {date}.
apologise|apologising|for the mistake in invoice {number}|We apologise for the mistake in invoice {number}.
cancel|cancelling|{p} appointment on {date}|Your appointment on {date} is cancelled.
cancel|cancelling|my membership number {number} as of {date}|I hereby cancel my membership number {number} as of {date}.
cancel|cancelling|the contract {number} at the end of {date}|I hereby cancel the contract {number} at the end of {date}.
complain|complaining|that the {thing} arrived broken on {date}|The {thing} arrived broken on {date}.
complain|complaining|about the noise from {place}|I would like to complain about the noise from {place}.
congratulate|congratulating|{o} on {p} {occasion}|Congratulations on your {occasion}.
congratulate|congratulating|{o} on passing the {course} exam|Congratulations on passing the {course} exam.
order|ordering|{count} pieces of the {thing} at {amount} each|We would like to order {count} pieces of the {thing} at {amount} each.
offer|offering|{o} {service} for {amount}|We offer you {service} for {amount}.
offer|offering|{o} the {thing} at a price of {amount}|We offer you the {thing} at a price of {amount}.
recommend|recommending|{person} as a {role}|We recommend {person} as a {role}.
request|requesting|a copy of the invoice {number}|Please send us a copy of the invoice {number}.
request|requesting|three days of leave from {date}|I would like to request three days of leave from {date}.
resign|resigning|from my position as {role} as of {date}|I hereby resign from my position as {role} as of {date}.
welcome|welcoming|{o} as a new member of {place}|Welcome as a new member of {place}.
wish|wishing|{o} a good recovery|We wish you a good recovery.
say|saying|that {fact}|{Fact}
say|saying|that {fact}|{Fact}
tell|telling|{o} that {fact}|{Fact}
tell|telling|{o} that {fact}|{Fact}
'''

# What is so, in a report, a notice or minutes.
STATED = '''
the lift is out of order until {date}
the {thing} costs {amount}
the {thing} is {colour} and costs {amount}
{person} is the new {role}
{person} leads the work on {topic}
{person} will {task} by {date}
{person} and {person2} will {task}
the deadline for {topic} is {date}
the budget for {topic} is {amount}
the budget was raised to {amount}
{count} people came to the {occasion}
{count} visitors came in {month}
sales rose by {percent} % in {month}
sales fell by {percent} % against last year
costs for {topic} were {amount}
the {occasion} takes place on {date} at {time}
the {occasion} is moved to {date}
the {course} course begins on {date} at {time} in {place}
{place} is closed on {day}
{place} is open from {time} to {time2}
{place} will be closed from {date} to {date2}
smoking is not allowed in {place}
dogs must be kept on a lead
please use the back door
the water will be turned off on {date} from {time} to {time2}
the car park is closed on {date}
visitors must sign in at {place}
all {thing} orders ship from {city}
the next meeting is on {date} at {time}
the next meeting will be held in {place} on {day}
{count} of {count2} members voted for {topic}
the vote on {topic} was postponed
the contract with {company} ends on {date}
{company} delivers the {thing} on {day}
the phone number is {phone}
questions go to {mail}
the entrance fee is {amount}
children pay {amount}
keys must be returned to {person} by {time}
the server will be down on {date} between {time} and {time2}
the temperature was {count} degrees
{person} found a {thing} in {place}
{person} thanked {person2} for the work on {topic}
the project in {city} is finished
the project in {city} is {percent} % complete
the new office is at {address}
the trip to {city} costs {amount} per person
the bus to {city} leaves at {time}
the train to {city} leaves from platform {count}
parking costs {amount} per day
lunch is served at {time} in {place}
bins are emptied every {day}
the heating was repaired on {date}
the fire drill is on {day} at {time}
the prize is a {thing}
the winner is {person} from {city}
the team needs {count} new laptops
{service} will be done on {date}
the bill for {service} was {amount}
the customer number is {number}
the average score was {percent} %
'''

TOLD = [line.split('|') for line in TOLD.strip().split('\n')]
STATED = STATED.strip().split('\n')
SLOT = re.compile(r'\{(\w+)\}')
MONTH_NAMES = 'January February March April May June July August September October November December'.split()


def slot_value(words, name):
    kind = name.rstrip('2')
    pools = {'thing': THING, 'service': SERVICE, 'place': PLACE, 'topic': TOPIC, 'course': COURSE, 'occasion': OCCASION, 'task': TASK, 'role': ROLE, 'colour': COLOUR, 'month': MONTH_NAMES}
    if kind in pools:
        return words.pick(pools[kind])
    if kind == 'count':
        return str(words.random.randint(2, 240))
    if kind == 'percent':
        return str(words.random.randint(2, 98))
    if kind == 'city':
        from words import CITY

        return words.pick(CITY)
    return getattr(words, kind)()


def fill(words, *texts, **known):
    """Fills the slots of several texts with the same values; gives the texts and the values that are facts."""
    values, facts = dict(known), []
    for name in SLOT.findall(' '.join(texts)):
        if name in values:
            continue
        values[name] = slot_value(words, name)
        facts.append(values[name])
    return [text.format(**values) for text in texts], facts


def stated(words):
    """A statement without a full stop, as it stands inside a request, and its facts."""
    (text,), facts = fill(words, words.pick(STATED))
    return text, facts


def sentence(text):
    return text[0].upper() + text[1:] + ('' if text.endswith(('.', '?', '!')) else '.')


def told(words, pronouns):
    """(verb, -ing form, rest of the request, sentence, facts)."""
    verb, ing, rest, said = words.pick(TOLD)
    if '{fact}' in rest:
        fact, facts = stated(words)
        rest = rest.replace('{fact}', fact.replace('{', '').replace('}', ''))
        (rest,), _ = fill(words, rest, **pronouns)
        return verb, ing, rest, sentence(fact), facts
    (rest, said), facts = fill(words, rest, said, **pronouns)
    return verb, ing, rest, said, facts
