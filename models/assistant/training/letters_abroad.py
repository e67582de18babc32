"""Letters in German, French, Spanish and Italian: few forms, so that the language of the instruction is kept."""

from words import DAYS, LAST

LETTERS = {
    'de': {
        'order': ['Schreibe einen Brief an {who}: {wish}', 'Schreib bitte einen kurzen Brief an {who}. {wish}', 'Brief an {who}. {wish}'],
        'who': ['Frau {last}', 'Herrn {last}'], 'greet': {'Frau': 'Sehr geehrte Frau {last},', 'Herrn': 'Sehr geehrter Herr {last},'},
        'told': [('Ihr Termin ist am {date} um {time} Uhr.', 'Ihr Termin ist am {date} um {time} Uhr.'), ('Danke für die Zahlung von {amount}.', 'vielen Dank für die Zahlung von {amount}.'), ('Die Rechnung {number} ist noch offen.', 'die Rechnung {number} ist noch offen.'), ('Die Lieferung kommt am {date}.', 'die Lieferung kommt am {date}.'), ('Bitte rufen Sie {phone} an.', 'bitte rufen Sie {phone} an.'), ('Das Treffen ist auf den {date} verschoben.', 'das Treffen ist auf den {date} verschoben.')],
        'sign': ' Unterschrift: {sender}.', 'end': 'Mit freundlichen Grüßen', 'title': 'Brief an {who}',
    },
    'fr': {
        'order': ['Écris une lettre à {who} : {wish}', 'Rédigez une courte lettre pour {who}. {wish}', 'Lettre à {who}. {wish}'],
        'who': ['Madame {last}', 'Monsieur {last}'], 'greet': {'Madame': 'Madame {last},', 'Monsieur': 'Monsieur {last},'},
        'told': [('Son rendez-vous est le {date} à {time}.', 'Votre rendez-vous est le {date} à {time}.'), ('Merci pour le paiement de {amount}.', 'Merci pour le paiement de {amount}.'), ('La facture {number} reste à payer.', 'La facture {number} reste à payer.'), ('La livraison arrive le {date}.', 'La livraison arrive le {date}.'), ('Il faut appeler le {phone}.', 'Veuillez appeler le {phone}.')],
        'sign': ' Signé {sender}.', 'end': 'Cordialement', 'title': 'Lettre à {who}',
    },
    'es': {
        'order': ['Escribe una carta a {who}: {wish}', 'Redacta una carta breve para {who}. {wish}', 'Carta a {who}. {wish}'],
        'who': ['la señora {last}', 'el señor {last}'], 'greet': {'la': 'Estimada señora {last}:', 'el': 'Estimado señor {last}:'},
        'told': [('Su cita es el {date} a las {time}.', 'Su cita es el {date} a las {time}.'), ('Gracias por el pago de {amount}.', 'Gracias por el pago de {amount}.'), ('La factura {number} está pendiente.', 'La factura {number} está pendiente.'), ('La entrega llega el {date}.', 'La entrega llega el {date}.')],
        'sign': ' Firmado: {sender}.', 'end': 'Atentamente', 'title': 'Carta a {who}',
    },
    'it': {
        'order': ['Scrivi una lettera a {who}: {wish}', 'Scrivi una breve lettera per {who}. {wish}'],
        'who': ['Signora {last}', 'Signor {last}'], 'greet': {'Signora': 'Gentile Signora {last},', 'Signor': 'Gentile Signor {last},'},
        'told': [('Il suo appuntamento è il {date} alle {time}.', 'Il suo appuntamento è il {date} alle {time}.'), ('Grazie per il pagamento di {amount}.', 'Grazie per il pagamento di {amount}.'), ('La fattura {number} non è stata pagata.', 'La fattura {number} non è stata pagata.'), ('La consegna arriva il {date}.', 'La consegna arriva il {date}.')],
        'sign': ' Firmato {sender}.', 'end': 'Cordiali saluti', 'title': 'Lettera a {who}',
    },
}


def letter_abroad(words):
    from documents import lines, page, paragraph

    lang = words.pick(list(LETTERS))
    forms = LETTERS[lang]
    last = words.pick(LAST)
    values = {
        'date': f'{words.random.randint(1, 28)}.{words.random.randint(1, 12)}.202{words.random.randint(4, 8)}' if lang == 'de' else f'{words.random.randint(1, 28)}/{words.random.randint(1, 12)}/202{words.random.randint(4, 8)}',
        'time': f'{words.random.randint(8, 18)}:{words.pick(["00", "15", "30"])}', 'amount': f'{words.random.randint(20, 900)} {words.pick(["Euro", "€", "EUR"])}', 'number': words.number(words.pick(['', 'R-', 'A-'])), 'phone': words.phone(),
    }
    who = words.pick(forms['who']).format(last=last)
    chosen = words.some(forms['told'], 1, 2)
    wish = ' '.join(said for said, _ in chosen).format(**values)
    sender = words.person() if words.chance(0.6) else None
    order = words.pick(forms['order']).format(who=who, wish=wish) + (forms['sign'].format(sender=sender) if sender else '')
    greeting = forms['greet'][who.split(' ')[0]].format(last=last)
    texts = [text.format(**values) for _, text in chosen]
    body = [paragraph(greeting), *[paragraph(text) for text in texts], lines(forms['end'], sender)]
    facts = [value for name, value in values.items() if any('{' + name + '}' in said for said, _ in chosen)] + [last] + ([sender] if sender else [])
    return order, page(forms['title'].format(who=who), '\n'.join(body), lang=lang), facts
