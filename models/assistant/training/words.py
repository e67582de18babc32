"""Names, places, things, amounts and days that the generators draw from."""

import datetime

FIRST = '''Anna Ben Carla David Elena Farid Greta Hugo Ines Jonas Karin Liam Maria Noah Olga Paul Quinn Rosa Samuel Tara Umar Vera Walter Xenia Yusuf Zoe Amelia Boris
Chloe Dmitri Emma Felix Giulia Hanna Ivan Julia Kenji Laura Mohammed Nadia Oliver Priya Rafael Sofia Thomas Ursula Victor Wendy Aisha Bruno Camille Diego Esther Frank
George Helen Isaac Jane Kofi Lucy Martin Nina Oscar Petra Ravi Sarah Tom Valentina William Yara Adam Bella Chen Daniel Eva Fatima Gabriel Holly Ian Jasmine Kevin Lea
Mark Naomi Owen Paula Ruth Simon Teresa Vincent Mei Akira Sven Ingrid Lars Freya Marek Zofia Pedro Lucia Andre Beatriz Omar Layla Nikhil Anjali'''.split()
LAST = '''Smith Miller Brown Garcia Rossi Novak Schmidt Weber Dubois Laurent Kowalski Nowak Andersson Hansen Jensen Lopez Martinez Silva Santos Costa Ferrari Romano Bianchi
Murphy Kelly O'Brien Walker Wright Green Baker Cooper Turner Hill Ward Morgan Reed Bailey Fischer Becker Hoffmann Keller Vogel Huber Meier Okafor Mensah Diallo Nguyen Tran
Kim Park Lee Chen Wang Li Tanaka Sato Suzuki Patel Sharma Singh Khan Ahmed Hassan Haddad Cohen Levi Petrov Ivanova Popescu Horvat Kovacs Virtanen Lindberg Berg Dahl Jones
Taylor Davies Evans Thomas Roberts Johnson Williams Clark Lewis Young King Scott Adams Nelson Carter Mitchell Perez Torres Rivera Moreau Lefevre Girard de_Vries Bakker Visser Janssen'''.replace('de_Vries', 'de~Vries').split()
LAST = [name.replace('~', ' ') for name in LAST]
CITY = '''London Paris Berlin Madrid Rome Vienna Oslo Lisbon Dublin Prague Warsaw Zurich Geneva Brussels Amsterdam Copenhagen Stockholm Helsinki Athens Budapest Hamburg Munich
Cologne Lyon Marseille Porto Seville Valencia Milan Naples Turin Krakow Gdansk Leeds Bristol York Oxford Cambridge Glasgow Edinburgh Cardiff Boston Chicago Denver Seattle Austin
Portland Toronto Montreal Vancouver Sydney Melbourne Perth Auckland Tokyo Osaka Kyoto Seoul Mumbai Delhi Nairobi Lagos Cairo Istanbul Dubai Singapore Bangkok Lima Bogota Santiago'''.split()
COUNTRY = '''France Germany Italy Spain Portugal Poland Norway Sweden Denmark Finland Ireland Austria Belgium Greece Hungary Canada Australia Japan India Brazil Mexico Argentina Chile Peru
Kenya Nigeria Egypt Turkey Thailand Vietnam Indonesia Iceland Croatia Romania Morocco'''.split()
STREET = '''Station Road|High Street|Park Lane|Mill Street|Church Road|Market Square|Oak Avenue|Garden Street|Bridge Street|King Street|Harbour Road|Hill Street|School Lane|River Walk|
Elm Street|Main Street|Queen Street|Forest Road|Castle Street|Lake View|Victoria Road|Long Lane|Abbey Street|North Street|Orchard Close|Sunset Boulevard|Maple Drive|Rose Lane'''.replace('\n', '').split('|')
TRADE = '''Bakery Books Garden Motors Software Consulting Design Furniture Printing Travel Electric Plumbing Foods Pharmacy Logistics Studio Dental Cycles Flowers Optics Energy
Legal Media Textiles Tools Coffee Films Sports Music Cleaning Roofing Architects Insurance Catering Translations Events'''.split()
COMPANY_END = ['Ltd', 'GmbH', 'Inc.', 'LLC', 'SA', 'AG', '& Sons', '& Co', 'Group', '', '', '']
THING = '''desk lamp|office chair|printer|laptop|keyboard|monitor|bicycle|helmet|garden table|coffee machine|kettle|toaster|vacuum cleaner|washing machine|fridge|sofa|bookshelf|carpet|mirror|
tent|sleeping bag|backpack|rain jacket|pair of shoes|camera|tripod|headphones|phone|phone case|charger|power bank|speaker|guitar|violin|piano stool|drill|hammer|ladder|paint roller|
toolbox|water filter|solar panel|battery|router|network cable|projector|whiteboard|notebook|pack of pens|stapler|paper shredder|box of envelopes|coffee beans|green tea|olive oil|
flour|honey|chocolate|wine glasses|dinner plates|pan|knife set|cutting board|blender|hair dryer|towel set|bed sheets|pillow|curtains|wall clock|picture frame|vase|candle|plant pot|
lawn mower|hose|watering can|bird house|dog bed|cat food|fish tank|yoga mat|dumbbells|tennis racket|football|skis|swimming goggles|board game|puzzle|doll|toy train|stroller'''.replace('\n', '').split('|')
SERVICE = '''window cleaning|website design|garden work|translation of a contract|roof repair|tax advice|photo session|piano lesson|language course|logo design|car repair|bicycle repair|
house painting|data backup|server maintenance|catering for 20 people|room hire|delivery|installation|consulting hours|proofreading|bookkeeping|training day|legal advice|heating service|
carpet cleaning|tree cutting|moving service|video editing|printing of flyers'''.replace('\n', '').split('|')
FOOD = '''milk|bread|eggs|butter|apples|bananas|tomatoes|potatoes|rice|pasta|cheese|yoghurt|onions|carrots|chicken|fish|salt|sugar|coffee|tea|orange juice|lettuce|garlic|lemons|oats|beans|
spinach|mushrooms|peppers|cucumbers|strawberries|grapes|ham|jam|water|biscuits'''.replace('\n', '').split('|')
PACK = '''passport|tickets|sun cream|toothbrush|socks|rain coat|phone charger|first aid kit|water bottle|torch|map|hat|swimwear|camera|book|snacks|sunglasses|towel|gloves|scarf|sleeping bag|
headlamp|pocket knife|medicine|umbrella|earplugs|notebook|pen|laptop|walking boots'''.replace('\n', '').split('|')
TASK = '''water the plants|feed the cat|clean the kitchen|send the report|call the bank|book the train|order new paper|update the website|check the alarm|empty the bins|pay the rent|
back up the server|renew the insurance|test the printer|write the minutes|prepare the slides|collect the keys|lock the doors|close the windows|charge the radios|inform the neighbours|
sign the contract|review the budget|answer the e-mails|clean the coffee machine|count the stock|repair the fence|paint the door|wash the car|order the cake|invite the guests|
set the table|rent a van|measure the room|buy the tickets|check the tyres'''.replace('\n', '').split('|')
ROLE = '''manager|teacher|nurse|engineer|accountant|driver|chef|secretary|designer|developer|director|librarian|electrician|sales assistant|doctor|receptionist|gardener|lawyer|architect|caretaker'''.split('|')
TOPIC = '''the new website|the summer party|the budget|parking|the office move|the school trip|safety at work|the new software|holiday planning|customer complaints|the product launch|
energy costs|the library hours|staff training|the annual report|recycling|the sports day|the heating system|the concert|home office rules|the marketing plan|the kitchen renovation|
volunteers|the bus timetable|membership fees|the garden project|data protection|the open day|quality checks|delivery times'''.replace('\n', '').split('|')
PLACE = '''the town hall|the main office|room 12|the community centre|the school gym|the library|the canteen|the city park|the church hall|the sports club|the conference room|the museum|
the old mill|the beach cafe|the hotel lobby|the garden house|meeting room B|the theatre|the fire station|the youth centre'''.replace('\n', '').split('|')
OCCASION = '''birthday party|wedding|garden party|farewell party|housewarming|concert|exhibition|summer barbecue|company dinner|workshop|school play|book reading|graduation party|anniversary dinner|
charity run|wine tasting|film night|open day|christening|retirement party'''.replace('\n', '').split('|')
COURSE = '''first aid|project management|basic accounting|swimming|web design|German for beginners|fire safety|public speaking|photography|data analysis|food hygiene|yoga teaching|welding|
sign language|chess|pottery|digital marketing|bread baking|cyber security|beekeeping'''.replace('\n', '').split('|')
PET = 'cat dog parrot rabbit hamster tortoise'.split()
COLOUR = 'black white grey brown red blue green yellow orange silver'.split()
MONTHS = 'January February March April May June July August September October November December'.split()
DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()
SYMBOLS = {'EUR': '€', 'USD': '$', 'GBP': '£'}


class Words:
    """Draws words with one source of chance, so that a seed gives the same text."""

    def __init__(self, random):
        self.random = random
        self.currency = random.choice(['EUR', 'EUR', 'USD', 'GBP', 'CHF'])
        self.day_form = random.choice(['{d} {m} {y}', '{d} {m} {y}', '{m} {d}, {y}', '{y}-{n:02}-{d:02}', '{d:02}/{n:02}/{y}', '{d}.{n}.{y}', '{d} {m}', '{m} {d}'])
        self.clock = random.choice(['24', '24', '12'])

    def pick(self, pool):
        return self.random.choice(pool)

    def some(self, pool, least, most):
        return self.random.sample(pool, min(len(pool), self.random.randint(least, most)))

    def chance(self, share):
        return self.random.random() < share

    def first(self):
        return self.pick(FIRST)

    def person(self):
        return f'{self.pick(FIRST)} {self.pick(LAST)}'

    def titled(self):
        title = self.pick(['Ms.', 'Mr.', 'Mrs.', 'Dr.', 'Ms', 'Mr', 'Professor'])
        return f'{title} {self.pick(LAST)}'

    def company(self):
        name = self.pick([self.pick(LAST), self.pick(CITY), self.pick(['Blue', 'Green', 'North', 'Sun', 'Star', 'Alpha', 'River', 'Nova', 'Bright', 'Terra', 'Peak', 'Delta'])])
        return f'{name} {self.pick(TRADE)} {self.pick(COMPANY_END)}'.strip()

    def address(self):
        return f'{self.random.randint(1, 180)} {self.pick(STREET)}, {self.random.randint(1000, 99999)} {self.pick(CITY)}'

    def amount(self, least=5, most=3000):
        value = self.random.randint(least, most)
        text = f'{value:,}' if self.chance(0.5) else str(value)
        if self.chance(0.45):
            text += f'.{self.random.choice(["00", "50", "99", "90", "20", f"{self.random.randint(0, 99):02}"])}'
        symbol = SYMBOLS.get(self.currency)
        forms = [f'{text} {self.currency}', f'{self.currency} {text}']
        if symbol:
            forms += [f'{symbol}{text}', f'{symbol}{text}', f'{text} {symbol}']
        forms.append(f'{text} ' + {'EUR': 'euros', 'USD': 'dollars', 'GBP': 'pounds', 'CHF': 'francs'}[self.currency])
        return self.pick(forms)

    def date(self):
        day = datetime.date(2023, 1, 1) + datetime.timedelta(days=self.random.randint(0, 1800))
        return self.day_form.format(d=day.day, m=MONTHS[day.month - 1], n=day.month, y=day.year)

    def day(self):
        return self.pick(DAYS)

    def time(self):
        hour, minute = self.random.randint(7, 21), self.random.choice([0, 0, 0, 15, 30, 30, 45])
        if self.clock == '24':
            return f'{hour}:{minute:02}'
        end = 'am' if hour < 12 else 'pm'
        small = hour if hour <= 12 else hour - 12
        return f'{small} {end}' if minute == 0 else f'{small}:{minute:02} {end}'

    def phone(self):
        return self.pick(['+44 20 7946 0', '+49 30 555 0', '+1 555 01', '0171 55 0', '+33 1 55 00 ']) + str(self.random.randint(100, 999))

    def mail(self):
        return f'{self.pick(FIRST).lower()}@{self.pick(["example.com", "example.org", "mail.example", "office.example"])}'

    def number(self, prefix=None):
        prefix = self.pick(['', 'INV-', 'R-', 'A', '2024-', '2025-', 'No. ', 'K', 'B-']) if prefix is None else prefix
        return f'{prefix}{self.random.randint(100, 99999)}'
