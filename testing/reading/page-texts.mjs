/** Letters with a table of goods, in the languages OCR must read; the texts are invented. */
export const pageTexts = {
  en: {
    title: 'Delivery note and invoice',
    prose:
      'Thank you for the order that you placed with us in the second week of March. The goods left our warehouse on Thursday and should reach you within five working days. Please check the parcels while the driver is still present, and note any damage on his form, because the insurer will not pay for what was reported later. The amounts below are due within thirty days of the date of this letter. If you pay earlier, you may deduct two percent. Questions about single items are answered by Margaret Whitfield, extension 4471, every day from nine to half past four.',
    header: ['Article', 'Quantity', 'Unit price', 'Total'],
    goods: [
      'Garden chair, folding',
      'Cotton blanket',
      'Desk lamp, brass',
      'Kitchen scales',
      'Steel bucket',
      'Wall clock',
    ],
    currency: 'GBP',
  },
  es: {
    title: 'Albarán y factura de compra',
    prose:
      'Le agradecemos el pedido que nos hizo durante la segunda semana de marzo. La mercancía salió de nuestro almacén el jueves y debería llegar en un plazo de cinco días laborables. Compruebe los paquetes mientras el conductor esté presente y anote cualquier daño en su formulario, porque la aseguradora no paga lo que se comunica más tarde. Los importes que figuran abajo vencen a los treinta días de la fecha de esta carta. Si paga antes, puede descontar un dos por ciento. Las preguntas sobre cada artículo las contesta la señora Núñez, extensión 4471, todos los días de nueve a cuatro y media.',
    header: ['Artículo', 'Cantidad', 'Precio', 'Importe'],
    goods: [
      'Silla de jardín',
      'Manta de algodón',
      'Lámpara de latón',
      'Báscula de cocina',
      'Cubo de acero',
      'Reloj de pared',
    ],
    currency: 'EUR',
  },
  de: {
    title: 'Lieferschein und Rechnung',
    prose:
      'Vielen Dank für die Bestellung, die Sie in der zweiten Märzwoche bei uns aufgegeben haben. Die Ware hat unser Lager am Donnerstag verlassen und müsste Sie innerhalb von fünf Werktagen erreichen. Bitte prüfen Sie die Pakete, solange der Fahrer noch anwesend ist, und vermerken Sie Schäden auf seinem Formular, weil die Versicherung später gemeldete Mängel nicht übernimmt. Die unten genannten Beträge sind dreißig Tage nach dem Datum dieses Schreibens fällig. Wenn Sie früher zahlen, können Sie zwei Prozent abziehen. Fragen zu einzelnen Artikeln beantwortet Frau Jürgens, Durchwahl 4471, täglich von neun bis halb fünf.',
    header: ['Artikel', 'Menge', 'Preis', 'Summe'],
    goods: [
      'Gartenstuhl, klappbar',
      'Baumwolldecke',
      'Schreibtischlampe',
      'Küchenwaage',
      'Stahleimer',
      'Wanduhr, weiß',
    ],
    currency: 'EUR',
  },
  fr: {
    title: 'Bon de livraison et facture',
    prose:
      'Nous vous remercions de la commande que vous avez passée pendant la deuxième semaine de mars. Les marchandises ont quitté notre entrepôt jeudi et devraient vous parvenir sous cinq jours ouvrables. Vérifiez les colis tant que le chauffeur est présent et notez tout dommage sur son formulaire, car l’assureur ne rembourse pas ce qui est signalé plus tard. Les montants indiqués ci-dessous sont exigibles trente jours après la date de cette lettre. Si vous réglez plus tôt, vous pouvez déduire deux pour cent. Madame Lefèvre, poste 4471, répond chaque jour aux questions de neuf heures à seize heures trente.',
    header: ['Article', 'Quantité', 'Prix', 'Montant'],
    goods: [
      'Chaise pliante',
      'Couverture en coton',
      'Lampe de bureau',
      'Balance de cuisine',
      'Seau en acier',
      'Horloge murale',
    ],
    currency: 'EUR',
  },
  it: {
    title: 'Bolla di consegna e fattura',
    prose:
      'La ringraziamo per l’ordine che ci ha inviato nella seconda settimana di marzo. La merce ha lasciato il nostro magazzino giovedì e dovrebbe arrivare entro cinque giorni lavorativi. Controlli i pacchi finché l’autista è presente e annoti eventuali danni sul suo modulo, perché l’assicurazione non paga ciò che viene segnalato più tardi. Gli importi qui sotto scadono trenta giorni dopo la data di questa lettera. Se paga prima, può dedurre il due per cento. Alle domande sui singoli articoli risponde la signora Bianchi, interno 4471, tutti i giorni dalle nove alle sedici e trenta.',
    header: ['Articolo', 'Quantità', 'Prezzo', 'Totale'],
    goods: [
      'Sedia da giardino',
      'Coperta di cotone',
      'Lampada da tavolo',
      'Bilancia da cucina',
      'Secchio di acciaio',
      'Orologio da parete',
    ],
    currency: 'EUR',
  },
  pt: {
    title: 'Guia de remessa e fatura',
    prose:
      'Agradecemos a encomenda que nos fez durante a segunda semana de março. A mercadoria saiu do nosso armazém na quinta-feira e deverá chegar dentro de cinco dias úteis. Verifique as embalagens enquanto o motorista estiver presente e anote qualquer dano no formulário, porque a seguradora não paga o que for comunicado mais tarde. Os valores abaixo vencem trinta dias depois da data desta carta. Se pagar antes, poderá deduzir dois por cento. As perguntas sobre cada artigo são respondidas pela senhora Conceição, extensão 4471, todos os dias das nove às dezasseis e trinta.',
    header: ['Artigo', 'Quantidade', 'Preço', 'Valor'],
    goods: [
      'Cadeira de jardim',
      'Manta de algodão',
      'Candeeiro de latão',
      'Balança de cozinha',
      'Balde de aço',
      'Relógio de parede',
    ],
    currency: 'EUR',
  },
};
