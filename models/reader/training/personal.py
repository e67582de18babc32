"""Letters, messages, minutes and curricula vitae: facts in sentences, people, and short lists."""

from chance import DICE, chance, pick, some
from blocks import Table, bullet_list, fact_pair, footer, open_pair, pairs, paragraph, prose, sentences
from document import Document
from language import FACTS, TITLES, WORDS
from parties import Party, party_block
from values import Style

LEFT, WIDTH = 60.0, 880.0


def _style() -> Style:
    style = Style()
    style.size = float(pick([14, 15, 16, 18]))
    style.mono = chance(0.3)
    return style


def letter() -> Document:
    style = _style()
    document = Document("letter", style)
    size = style.size
    sender = Party(document, "seller", person=chance(0.5))
    receiver = Party(document, "buyer", person=chance(0.6))
    subject = document.fact("subject", pick(WORDS["subjects"][style.language]))
    day = document.fact("letter_date", style.date(), None, "date")
    subject_parts = lambda: [(document.facts[subject].text, document.mark(subject))]
    day_parts = lambda: [(document.facts[day].text, document.mark(day))]
    y = pick([40.0, 60.0])
    if chance(0.4):
        label = lambda concept: pick(FACTS[concept]["labels"][style.label_language])
        mail = pick([" <{}>", " ({})", ""]).replace("{}", style.text("email"))
        items = [(label("sender"), sender.name_parts() + [(mail, ())] * bool(mail)), (label("recipient"), receiver.name_parts()), (label("receipt_date"), day_parts()), (label("subject"), subject_parts())]
        if chance(0.3):
            DICE.shuffle(items)
        y = pairs(document, items, LEFT, y, 800, pick(["inline", "inline", "columns"])) + size
    else:
        y = party_block(document, sender, pick([LEFT, LEFT, 560.0]), y, 420, False) + size
        y = party_block(document, receiver, LEFT, y, 420, chance(0.1)) + size
        place = [(style.city() + pick([", ", ", den ", ", le ", ", "]), ())] if chance(0.5) else []
        document.put(pick([LEFT, 600.0]), y, place + day_parts())
        y += size * 2
        if chance(0.35):
            y = pairs(document, [fact_pair(document, c) for c in some(["reference", "customer_number", "contract_number", "contact_person", "phone", "claim_number"], 3, 1)], pick([LEFT, 560.0]), y, 360) + size
        if chance(0.85):
            lead = [(pick(FACTS["subject"]["labels"][style.label_language]) + pick([": ", " "]), ())] if chance(0.6) else []
            document.put(LEFT, y, lead + subject_parts(), bold=chance(0.5))
            y += size * 2
    greeting = pick(WORDS["greetings"][style.language]).replace("{}", receiver.name.split()[-1] if receiver.is_person else style.person().split()[-1])
    document.put(LEFT, y, [(greeting, ())])
    y += size * 2
    y = paragraph(document, sentences(document, "letter", DICE.randint(1, 6), sender, receiver), LEFT, y, pick([WIDTH, WIDTH, 600.0])) + size * 0.5
    if chance(0.25):
        y = pairs(document, [fact_pair(document, c) for c in some(["invoice_number", "due_date", "total", "iban", "order_number", "delivery_date", "model", "serial_number"], 4, 1)], LEFT + pick([0, 40]), y, 460) + size
    if chance(0.3):
        y = prose(document, LEFT, y, WIDTH) + size * 0.5
    document.put(LEFT, y, [(style.words("closings"), ())])
    y += size * pick([1.4, 2, 3])
    signed = document.fact("signed_by", sender.name if sender.is_person else style.person())
    parts = [(document.facts[signed].text, document.mark(signed) + (document.mark(sender.name_fact) if sender.is_person else ()))]
    document.put(LEFT, y, parts)
    y += size * 1.4
    if not sender.is_person and chance(0.5):
        document.put(LEFT, y, [(pick(WORDS["departments"]) if chance(0.5) else style.text("job"), ())])
        y += size * 1.4
    if chance(0.15):
        values = some(WORDS["list_values"]["attachments"], 4, 2)
        y = bullet_list(document, values, LEFT, y + size, WIDTH, pick(["attachments", "enclosures"]), pick(["Attachments", "Enclosures", "Anlagen", "Pièces jointes", "Anexos", "Allegati", "Bijlagen"]))
    if not sender.is_person and chance(0.3):
        footer(document, sender, y + size * 3)
    return document


def minutes() -> Document:
    style = _style()
    document = Document("minutes", style)
    size = style.size
    document.put(LEFT, 50, [(pick(TITLES["minutes"][style.label_language]) + ("" if chance(0.5) else " - " + style.company()), ())], size * pick([1, 1.5, 2]), bold=True)
    y = 60 + size * 2.5
    wanted = some("meeting_date location start_time end_time presided_by minutes_by next_meeting project department".split(), 8, 2)
    y = pairs(document, [fact_pair(document, c) for c in wanted] + [open_pair(document) for _ in range(pick([0, 0, 1]))], LEFT, y, pick([460.0, WIDTH]), pick(["inline", "inline", "columns", "grid"])) + size
    people = [style.person() for _ in range(DICE.randint(2, 7))]
    label = pick({"en": ["Present", "Attendees", "Participants"], "de": ["Anwesend", "Teilnehmer"], "fr": ["Présents", "Participants"], "es": ["Asistentes"], "it": ["Presenti"], "nl": ["Aanwezig", "Deelnemers"], "pt": ["Presentes"], "pl": ["Obecni", "Uczestnicy"]}[style.label_language])
    if chance(0.85):
        y = bullet_list(document, people, LEFT, y, WIDTH, pick(["attendees", "participants", "present"]), label, pick([None, "Who was there", "Names of the people who attended"])) + size
    if chance(0.35):
        absent = [style.person() for _ in range(DICE.randint(1, 3))]
        heading = {"en": "Apologies", "de": "Entschuldigt", "fr": "Excusés", "es": "Ausentes", "it": "Assenti", "nl": "Afwezig", "pt": "Ausentes", "pl": "Nieobecni"}[style.label_language]
        y = bullet_list(document, absent, LEFT, y, WIDTH, pick(["apologies", "absent", "excused"]), heading) + size
    if chance(0.5):
        heading = {"en": "Agenda", "de": "Tagesordnung", "fr": "Ordre du jour", "es": "Orden del día", "it": "Ordine del giorno", "nl": "Agenda", "pt": "Ordem de trabalhos", "pl": "Porządek obrad"}[style.label_language]
        y = bullet_list(document, some(WORDS["list_values"]["topics"], 6, 2), LEFT, y, WIDTH, pick(["agenda", "topics", "agenda_items"]), heading) + size
    y = paragraph(document, sentences(document, "minutes", DICE.randint(1, 3)), LEFT, y, WIDTH) + size
    if chance(0.6):
        columns = [c for c in ["position", "task", "owner", "due"] if c in ("task", "owner") or chance(0.6)]
        y = Table(document, columns, LEFT, WIDTH, pick(["actions", "action_items", "tasks", "todos", "decisions"])).draw(y, DICE.randint(1, 6), chance(0.95)) + size
    if chance(0.3):
        prose(document, LEFT, y, WIDTH)
    return document


HEADINGS = {
    "experience": {"en": "Work Experience;EXPERIENCE;Employment", "de": "Berufserfahrung;Beruflicher Werdegang", "fr": "Expérience professionnelle", "es": "Experiencia laboral;Experiencia", "it": "Esperienza lavorativa", "nl": "Werkervaring", "pt": "Experiência profissional", "pl": "Doświadczenie zawodowe"},
    "education": {"en": "Education;EDUCATION", "de": "Ausbildung;Bildungsweg", "fr": "Formation", "es": "Formación", "it": "Istruzione", "nl": "Opleiding", "pt": "Formação", "pl": "Wykształcenie"},
    "skills": {"en": "Skills;SKILLS", "de": "Kenntnisse", "fr": "Compétences", "es": "Competencias", "it": "Competenze", "nl": "Vaardigheden", "pt": "Competências", "pl": "Umiejętności"},
    "languages": {"en": "Languages", "de": "Sprachen;Sprachkenntnisse", "fr": "Langues", "es": "Idiomas", "it": "Lingue", "nl": "Talen", "pt": "Línguas", "pl": "Języki"},
    "hobbies": {"en": "Hobbies;Interests", "de": "Hobbys;Interessen", "fr": "Loisirs", "es": "Aficiones", "it": "Interessi", "nl": "Hobby's", "pt": "Interesses", "pl": "Zainteresowania"},
}  # fmt: skip


def curriculum() -> Document:
    style = _style()
    document = Document("cv", style)
    size = style.size
    person = Party(document, "person", person=True)
    y = 40.0
    if chance(0.5):
        document.put(LEFT, y, [(pick(TITLES["cv"][style.label_language]), ())], size * 1.4)
        y += size * 2.4
    labelled = chance(0.4)
    items = []
    if labelled:
        items = [(document.label("person_name"), person.name_parts())]
    else:
        document.put(pick([LEFT, 400.0]), y, person.name_parts(), size * pick([1, 1.6, 2]))
        y += size * 2.6
        if chance(0.4):
            document.put(LEFT, y, document.value("job_title"))
            y += size * 1.6
    reach = [person.contact(c) for c in some(["phone", "email", "website"], 3, 1)] + [person.one_line()]
    if chance(0.35):
        line = []
        for parts in reach:
            line += [*parts, (pick([" · ", " | ", ", ", "   "]), ())]
        y = document.wrap(LEFT, y, line[:-1], WIDTH) + size * 0.5
    else:
        for parts in reach:
            y = document.wrap(LEFT, y, parts, WIDTH)
    wanted = some("date_of_birth nationality marital_status place_of_birth has_licence job_title employer degree university graduation_year department".split(), 6)
    items += [fact_pair(document, c) for c in wanted if document.find(c) is None]
    if items:
        y = pairs(document, items, LEFT, y + size, 560, pick(["inline", "columns", "columns", "grid"])) + size
    sections = ["experience", "education", *some(["skills", "languages", "hobbies"], 3, 1)]
    DICE.shuffle(sections)
    for section in sections:
        y = _section(document, section, y) + size * pick([0.4, 1])
    return document


def _section(document: Document, section: str, y: float) -> float:
    style = document.style
    heading = pick(HEADINGS[section][style.label_language].split(";"))
    if section in WORDS["list_values"]:
        names = {"skills": ["skills", "competences", "skill_list"], "languages": ["languages", "spoken_languages"], "hobbies": ["hobbies", "interests"]}[section]
        native = [heading.lower().replace(" ", "_")]
        return bullet_list(document, some(WORDS["list_values"][section], 6, 2), LEFT, y, WIDTH, pick(names + native), heading)
    columns = ["period", "job", "company"] if section == "experience" else ["period", "degree", "school"]
    names = {"experience": ["experience", "jobs", "work_experience", "employment", "positions"], "education": ["education", "schools", "studies", "degrees"]}[section]
    document.put(LEFT, y, [(heading, ())], style.size * 1.2, bold=True)
    y += style.size * 1.9
    table = Table(document, columns if chance(0.7) else columns[::-1], LEFT, WIDTH, pick(names + [heading.lower().replace(" ", "_")]))
    count = DICE.randint(1, 4)
    form = "table" if table.labelled else pick(["table", "line", "stacked", "line"])
    if form == "table":
        return table.draw(y, count, True)
    for _ in range(count):
        marks = (("row", table.number, table.row),)
        period, what, where = (table.values(marks).get(c) or [] for c in columns)
        if form == "line":
            joint = [(pick([", ", " - ", " at ", " bei ", ", "]), marks)]
            if chance(0.4):
                document.put(LEFT, y, period)
                y = document.wrap(LEFT + 240, y, what + joint + where, WIDTH - 240)
            else:
                y = document.wrap(LEFT, y, what + joint + where + [(", ", marks)] + period, WIDTH)
        else:
            document.put(LEFT, y, what, bold=True)
            document.put(LEFT + WIDTH, y, period, None, "right")
            document.put(LEFT, y + style.size * 1.3, where)
            y += style.size * 2.7
        if chance(0.35):
            y = prose(document, LEFT + pick([0, 20]), y, 800, 1)
        table.row += 1
    return y
