/**
 * Synonyms on documents in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish, lower case without accents. A
 * word may have several concepts; German and Dutch compounds are split by these words.
 */
export const CONCEPTS: Readonly<Record<string, string>> = {
  number: 'number no nr num nummer numero n nro numer № # numeru',
  id: 'id identifier identification kennung identificador identifiant ident dni nie no nr number nummer numero',
  reference:
    'reference ref referenz referencia riferimento referencia zeichen aktenzeichen expediente dossier case kenmerk referentie znak',
  code: 'code kode codigo codice kennziffer',
  postcode: 'plz postleitzahl postcode zip zipcode postal cap cep pocztowy',
  date: 'date datum fecha data dated datee tag daty',
  issue:
    'issue issued ausgestellt ausstellung emission emitida emis emissione emissao emitted wystawienia uitgifte',
  due: 'due fallig faellig falligkeit zahlbar vencimiento vence echeance scadenza vencimento payable verval vervalt termin',
  deadline:
    'deadline frist plazo delai termine prazo before until bis reply respond apply stichtag hasta uiterlijk termijn entro spatestens avant antes binnen przed latest',
  invoice: 'invoice rechnung rechnungs factura facture fattura fatura bill factuur faktura faktury',
  receipt:
    'receipt bon beleg quittung recibo ticket recu scontrino kassenbon kassabon bonnetje paragon talao',
  order:
    'order bestellung bestell auftrag pedido commande ordine encomenda purchase po bestelling zamowienie zamowienia',
  delivery:
    'delivery deliver delivered shipping ship shipped shipment liefer lieferung versand entrega envio livraison expedition consegna spedizione dispatch levering bezorging dostawa dostawy',
  note: 'note schein lieferschein albaran bon bolla guia nota pakbon',
  letter: 'letter brief schreiben carta lettre lettera pismo pisma anschreiben',
  document: 'document dokument documento dokumentu',
  offer: 'offer angebot oferta offre offerta proposta quote quotation offerte',
  contract:
    'contract vertrag vertrags contrato contrat contratto agreement vereinbarung overeenkomst umowa umowy',
  policy:
    'policy police poliza polizza apolice versicherung insurance assurance seguro assicurazione verzekering polis polisa ubezpieczenie krankenkasse mutuelle',
  customer:
    'customer client kunde kunden cliente buyer kaufer kaeufer comprador acheteur acquirente billed bill auftraggeber debtor passenger passeggero passager passagier reisender reisende pasajero passageiro fahrgast pasazer guest klant koper afnemer nabywca nabywcy klient klienta voyageur voyageurs viajero viajera viaggiatore viajante traveller traveler reiziger podrozny claimant insured policyholder versicherungsnehmer asegurado asegurada assure assicurato segurado verzekerde ubezpieczony',
  seller:
    'seller supplier vendor verkaufer verkaeufer lieferant vendedor proveedor vendeur fournisseur fornitore fornecedor emisor issuer emetteur merchant verkoper leverancier sprzedawca sprzedawcy dostawca',
  provider:
    'provider anbieter contractor auftragnehmer proveedor prestataire prestador versicherer insurer dienstleister',
  sender: 'sender absender remitente expediteur mittente remetente from von afzender nadawca',
  recipient:
    'recipient empfanger empfaenger destinatario destinataire adressat addressee to an consignee lieferadresse bestinatario deliver candidate ontvanger odbiorca odbiorcy adresat adresata geadresseerde addressee',
  company:
    'gremium ausschuss beirat organo consejo conseil comite comitato company firma unternehmen empresa entreprise societe azienda impresa organisation organization business gesellschaft bedrijf spolka organisatie przedsiebiorstwo laboratory laboratorium laboratoire laboratorio clinic klinik hospital association verein vereniging asociacion associazione associacao stowarzyszenie committee council gemeinderat ortschaftsrat stadtrat vorstand board body',
  employer:
    'employer arbeitgeber empleador employeur datore werkgever pracodawca empregador empresa azienda entreprise',
  employee:
    'employee arbeitnehmer mitarbeiter empleado trabajador employe salarie dipendente werknemer medewerker pracownik',
  store:
    'store shop geschaft geschaeft laden establecimiento comercio tienda magasin boutique negozio loja restaurant merchant winkel sklep',
  landlord: 'landlord vermieter arrendador bailleur locatore lessor verhuurder wynajmujacy',
  tenant: 'tenant mieter arrendatario inquilino locataire conduttore lessee renter huurder najemca',
  person:
    'person dear geehrte geehrter geehrten estimado estimada cher chere liebe lieber candidate applicant antragsteller bewerber candidato candidat solicitante patient',
  name: 'name namen nombre nom nome naam imie nazwa',
  first: 'vorname prenom first given nombre voornaam imie',
  last: 'nachname last surname apellido apellidos family familienname cognome sobrenome nom achternaam nazwisko apelido',
  signature:
    'signature signed unterschrift unterzeichnet firma firmante firmado signe signataire firmato signer signatory handler handtekening podpis',
  cashier: 'cashier kassierer kassiererin bediener cajero cajera caissier served kassier kasjer',
  address: 'address adresse anschrift direccion domicilio indirizzo endereco lives property inmueble adres',
  street: 'street strasse str calle rue via rua hausnummer straat ulica ul',
  city: 'comune gemeinde municipio gemeente gmina city town venue location local locatie sede lieu luogo ort stadt ciudad ville citta cidade localidad wohnort lugar place municipality woonplaats plaats stad miejscowosc miasto localidade',
  country: 'country land pais pays paese kraj',
  email: 'email mail correo courriel electronico electronica electronique elettronica eletronico eletronica',
  phone: 'phone telephone tel durchwahl telefon telefono telefone mobile handy movil fax rufnummer telefoon',
  website: 'website web url site homepage linkedin webseite',
  birth:
    'nato nata nacido nacida nee nascido nascida urodzony urodzona birth geburt geburts geboren nacimiento naissance nascita nascimento born dob geboorte urodzenia',
  total:
    'total gesamt gesamtbetrag summe suma somme sum totale importe grand endbetrag rechnungsbetrag totaal razem ogolem payer betalen zaplaty pagare',
  amount: 'amount betrag importe montant importo valor valore summe value bedrag kwota wartosc',
  net: 'net netto nettobetrag ht neto imponible subtotal zwischensumme untaxed subtotaal',
  gross: 'gross brutto bruto ttc lordo bruttogehalt',
  vat: 'vat mwst tva iva ust mehrwertsteuer umsatzsteuer tax steuer impuesto taxe imposta imposto gst btw',
  taxnumber: 'nif cif steuernummer ustid siret partita nip',
  rate: 'rate satz tipo taux aliquota taxa rates tarief stawka',
  price:
    'price preis precio prix prezzo preco einzelpreis stuckpreis cost kosten rate prijs stukprijs cena ceny fare fahrpreis tarifa tariffa taryfa',
  unit: 'unit einheit unidad unite unita unitario unitaire einzel stuck per each eenheid stuk stuks jednostkowa',
  quantity:
    'quantity qty menge anzahl cantidad cant quantite qte quantita quantidade units count pieces pcs stuckzahl aantal hoeveelheid ilosc',
  count: 'count anzahl nombre cantidad zahl aantal liczba',
  description:
    'description beschreibung bezeichnung descripcion concepto designation descrizione descricao item article artikel product produkt producto produit prodotto produto articulo libelle leistung service artikelbezeichnung omschrijving beschrijving opis towar towaru uslugi',
  sku: 'sku artnr art articleno referencia reference part',
  discount: 'discount rabatt skonto descuento remise sconto desconto korting rabat',
  tip: 'tip trinkgeld propina pourboire mancia gorjeta fooi napiwek',
  currency: 'currency wahrung waehrung moneda devise valuta moeda waluta',
  payment:
    'payment paid pay zahlung bezahlt zahlungsart pago paiement pagamento bezahlung zahlweise betaling betaald platnosc platnosci zaplata',
  method: 'method art methode metodo forma mode modo weise wijze sposob',
  given: 'given gegeben entregado tendered recibido rendu ontvangen otrzymano',
  change: 'change ruckgeld rueckgeld cambio monnaie resto wisselgeld reszta troco',
  iban: 'iban konto bankverbindung kontonummer cuenta compte conto account bank rekening rekeningnummer konta rachunek',
  holder: 'holder inhaber titular titulaire intestatario houder wlasciciel',
  salary:
    'salary gehalt salario sueldo salaire stipendio lohn wage income einkommen revenu renta bruttogehalt ingresos compensation salaris loon pensja wynagrodzenie',
  rent: 'rent miete renta loyer affitto alquiler renda huur czynsz',
  deposit: 'deposit kaution fianza caution deposito borg waarborgsom kaucja',
  start:
    'from since von seit desde depuis dal sinds od start starts begin begins beginn beginnt inicio comienza comienzo debut commence inizio effective ab commencement aanvang ingangsdatum poczatek rozpoczecie opened opening opens eroffnet eroffnung ouverte ouverture apertura abierta abre otwarcie geopend abertura',
  end: 'to until bis hasta jusqu tot fim final end ends ende endet fin finaliza termine fine hasta expires expiry expiration ablauf einde eindigt koniec zakonczenie closed closes closing adjourned schluss cloture levee clausura cierre chiusura chiusa sluiting zamkniecie encerramento',
  term: 'term duration laufzeit dauer duracion duree durata period periodo looptijd duur okres zeitraum periode',
  notice:
    'notice kundigungsfrist preaviso preavis preavviso kundigung kuendigung termination opzegtermijn wypowiedzenie',
  probation: 'probation probezeit prueba essai prova',
  vacation: 'vacation urlaub urlaubstage vacaciones conges holiday holidays vakantiedagen urlop',
  week: 'week weekly woche wochen semana semanal semaine weken tydzien',
  month:
    'month monthly monat monate monatlich mes meses mensual mensuel mensuelle mese mesi mois maand maanden miesiac miesiecznie',
  year: 'year years jahr jahre ano anos anio annee ans anno annual jahrlich jaar jaren rok',
  day: 'day days tag tage dia dias jour jours giorno giorni dag dagen dzien dni',
  hour: 'hour hours stunde stunden wochenstunden hora horas heure heures hourly arbeitszeit wochenarbeitszeit uur uren godzina godzin',
  time: 'time uhrzeit zeit hora heure ora tijd tijdstip godzina godz',
  position:
    'position stelle puesto poste posicion role title beruf job occupation posizione cargo lavoro functie stanowisko profession profesion professione profissao beroep zawod',
  degree:
    'titolo laurea habilitacoes habilitacao qualification qualifications qualificacao qualifikation degree abschluss titulacion titulo diplome diploma studium grado dyplom',
  university:
    'instituicao instituicion institut istituto instituto institution university universitat universidad universite universita hochschule school college universiteit hogeschool uniwersytet',
  graduation:
    'graduation graduated abschlussjahr titulacion finished completed obtained awarded abgeschlossen obtenu conseguido conseguito concluido behaald ukonczenia',
  skill:
    'skill skills kenntnisse fahigkeiten habilidades competencias competences competenze vaardigheden umiejetnosci',
  language:
    'language languages sprache sprachen idioma idiomas langue langues lingua lingue taal talen jezyk jezyki',
  experience:
    'experience berufserfahrung erfahrung experiencia experiences esperienza ervaring werkervaring doswiadczenie employment career work werdegang berufspraxis berufsweg beschaftigung parcours emplois trayectoria laboral carriera percorso lavorativa profissional loopbaan kariera zatrudnienie praca',
  education:
    'istruzione studi studium academic academica escolaridade schulbildung bildungsweg bildung estudios etudes ensino education ausbildung formacion formacao formation formazione opleiding wyksztalcenie',
  gender: 'gender sex geschlecht sexo sexe genero geslacht plec sesso',
  chair:
    'chair chairman chairwoman chairperson chaired vorsitz vorsitzender vorsitzende sitzungsleitung voorzitter presidencia presidenza przewodniczacy przewodniczaca presiding sitzungsleiter leitung presidente president moderation',
  minutes:
    'minutes secretary protokollfuhrer protokollant protokollantin schriftfuhrer notulist notulen notuleerder secretaire verbalizzante protokolant clerk schriftfuhrung secretario secretaria segretario segretaria',
  subject: 'subject betreff asunto objet oggetto assunto re betr regarding onderwerp betreft temat dotyczy',
  weight: 'weight gewicht gesamtgewicht peso poids waga',
  package: 'package packages paket pakete colis bultos pacchi parcels collo pakketten colli paczka paczki',
  carrier:
    'carrier spediteur transportista transporteur corriere frachtfuhrer spedition haulier vervoerder przewoznik',
  driving: 'driving fuhrerschein fuehrerschein permis carnet patente cnh rijbewijs',
  departure:
    'from von od van da departure departs depart abfahrt abflug salida partenza partida vertrek odjazd origin',
  arrival:
    'to nach naar arrival arrives arrive arrivee ankunft llegada arrivo chegada aankomst przyjazd destination ziel',
  station:
    'station gare bahnhof estacion stazione estacao dworzec airport aeroport flughafen aeropuerto aeroporto haltestelle',
  train: 'train zug tren treno trein comboio pociag flight flug flugnummer vuelo vol volo voo vlucht lot',
  seat: 'seat sitz sitzplatz platz asiento plaza place posto stoel zitplaats miejsce',
  row: 'row reihe fila rang rij rzad',
  coach: 'coach wagen waggon coche voiture carrozza carruagem wagon rijtuig',
  gate: 'gate flugsteig puerta porte varco bramka',
  table: 'table tisch mesa tavolo',
  plate: 'plate kennzeichen matricula immatriculation targa registration kenteken rejestracyjny',
  mileage: 'mileage kilometerstand kilometros kilometrage odometer',
  brand: 'brand make marke marca marque merk marka',
  model: 'model modell modelo modele modello',
  vehicle: 'vehicle fahrzeug vehiculo vehicule veicolo car auto voertuig pojazd',
  law: 'law recht ley droit legge jurisdiction gerichtsstand',
  stock: 'stock bestand existencias stocks inventory',
  children: 'children kinder hijos enfants figli kinderen dzieci',
  comment:
    'comment comments bemerkung bemerkungen comentario commentaire remarks notes anmerkung observaciones opmerkingen uwagi observations observation osservazioni observacoes hinweis hinweise note',
  summary:
    'summary zusammenfassung resumen resume riassunto abstract sintesi summarize summarise synopsis samenvatting podsumowanie streszczenie',
  patient: 'patient patientin paziente paciente patiente pacjent pacjenta pt pat',
  sample: 'sample specimen probe proben muestra echantillon campione amostra monster probka probki',
  collected:
    'collected collection sampled sampling taken drawn entnahme entnommen probenahme abnahme toma extraccion recogida prelevement preleve prelievo colheita coleta afname pobrania pobranie',
  received:
    'received receipt arrived eingang eingegangen recepcion recibida recu recue reception ricevuto ricezione accettazione recebido rececao ontvangst otrzymania przyjecia',
  reported:
    'reported report reporting befund befunddatum bericht berichtsdatum informe compte rapport referto relatorio verslag rapportage sprawozdanie wyniku',
  requester:
    'requester requested requesting ordering referred referring referrer physician doctor arzt einsender einsendender zuweiser anforderer solicitante solicitado medico prescripteur medecin demandeur richiedente requisitante requerente aanvrager huisarts verwijzer lekarz zlecajacy kierujacy reporter melder zglaszajacy gemeldet zgloszone reported',
  material: 'material untersuchungsmaterial probenmaterial materiaal materiale specimen',
  assessment:
    'assessment evaluation interpretation conclusion conclusions beurteilung bewertung interpretacion valoracion interpretazione interpretacao conclusao conclusione beoordeling conclusie ocena wnioski interpretacja',
  insurer:
    'insurer insurance versicherung versicherer krankenkasse aseguradora assureur assicuratore seguradora verzekeraar ubezpieczyciel',
  range:
    'range normbereich referenzbereich normalwerte limits valores usuelles riferimento intervallo intervalle bereik wartosci referencyjne zakres',
  result:
    'result results ergebnis ergebnisse messwert wert resultado resultados resultat resultats risultato risultati valor valeur valore uitslag resultaat wynik wyniki value',
  test: 'test tests analysis analyte parameter untersuchung prueba analisis determinacion analyse analyses examen dosage esame esami analisi determinazione exame onderzoek bepaling badanie',
  assignee:
    'assignee assigned agent bearbeiter sachbearbeiter zustandig zugewiesen responsable asignado asignada assigne technicien assegnato assegnatario atribuido responsavel behandelaar toegewezen przypisany owner responsible verantwortlich encargado responsabile incaricato verantwoordelijke eigenaar odpowiedzialny handler',
  status: 'status state zustand estado etat statut stato situacao',
  priority:
    'priority prioritat prioridad priorite priorita prioridade prioriteit priorytet dringlichkeit urgence urgency',
  category: 'category kategorie categoria categorie kategoria',
  device:
    'device equipment gerat equipo appareil apparecchio dispositivo equipamento apparaat toestel urzadzenie',
  serial: 'serial seriennummer serie matricola serienummer seryjny',
  created:
    'created raised logged erstellt angelegt creado creada cree creato criado aangemaakt utworzono zgloszono',
  platform: 'platform gleis anden quai voie binario plataforma perron spoor peron',
  class: 'class klasse clase classe klasa',
  claim: 'claim siniestro sinistre sinistro szkoda szkody reclamacion loss',
  excess:
    'excess deductible selbstbehalt selbstbeteiligung franquicia franchise franchigia franquia eigenrisico',
  meter: 'meter zahler contador compteur contatore licznik licznika',
  consumption: 'consumption verbrauch consumo consommation verbruik zuzycie usage',
  instalment: 'instalment installment abschlag teilbetrag cuota mensualite prestacao termijnbedrag rata',
  contact:
    'contact ansprechpartner ansprechpartnerin kontakt schreibt auskunft gesprachspartner contacto interlocuteur referente contatto contactpersoon kontaktowa',
  apologies:
    'apologies excused entschuldigt absent absents excuse excuses ausentes excusados ausencias scusati assenti giustificati justificadas afwezig verhinderd nieobecni usprawiedliwieni abwesend fehlend',
  present:
    'present attendees attending attendance participants anwesend anwesende teilnehmer teilnehmende asistentes presentes presents presenti partecipanti participantes aanwezig aanwezigen obecni uczestnicy attended',
  decision:
    'decision decisions resolution resolutions beschluss beschlusse acuerdo acuerdos resolucion decisione decisioni delibera deliberacao deliberacoes besluit besluiten uchwala uchwaly decyzje',
  action:
    'action actions task tasks aufgabe aufgaben massnahme massnahmen tarea tareas accion acciones tache taches azione azioni compiti tarefas acoes actie acties actiepunten taak zadanie zadania',
  next: 'next nachste nachster nachstes proxima proximo prochaine prochain prossima prossimo volgende nastepne nastepny',
  nationality:
    'nationality citizenship staatsangehorigkeit nationalitat nacionalidad nationalite nazionalita cittadinanza nacionalidade nationaliteit obywatelstwo',
  driver:
    'driver drivers fahrer fahrerin lenker lenkerin conductor conductora conducteur conductrice conducente condutor condutora motorista bestuurder kierowca',
  policyholder:
    'policyholder versicherungsnehmer versicherungsnehmerin tomador tomadora souscripteur souscriptrice contraente tomadores verzekeringnemer ubezpieczajacy',
  availability:
    'availability available verfugbarkeit verfugbar disponibilidad disponible disponibilita disponibile disponibilite disponibilidade disponivel beschikbaarheid beschikbaar dostepnosc',
  apprenticeship:
    'apprenticeship apprentice berufsausbildung lehre lehrzeit apprentissage aprendizaje apprendistato aprendizagem leertijd praktyka',
  teacher:
    'teacher teachers enseignant enseignants enseignante enseignantes lehrer lehrerin lehrkraft lehrkrafte maestra maestro maestros profesora profesorado docente docenti docentes insegnante insegnanti leraar leraren docenten nauczyciel nauczyciele',
  attachment:
    'attachment attachments enclosure enclosures anlage anlagen anhang anhange bijlage bijlagen adjunto adjuntos anexo anexos allegato allegati annexe annexes zalacznik zalaczniki zalacznikow',
  parent: 'parent parents eltern elternteil padres genitore genitori ouder ouders rodzic rodzice encarregado',
  relationship:
    'relationship relation parentesco verwandtschaft verhaltnis lien parente parentela relacao relatie pokrewienstwo',
  emergency: 'emergency notfall emergencia urgence emergenza noodgeval',
  course: 'course kurs curso cours corso cursus lehrgang',
  member:
    'member membership mitglied mitgliedschaft mitgliedsnummer socio socia adherent adhesion iscritto lid lidmaatschap czlonek',
  hobby:
    'hobby hobbies interests interessen aficiones loisirs passatempi interessi interesses zainteresowania freizeit',
  housing: 'housing dwelling vivienda wohnung wohnform logement abitazione habitacao woning mieszkanie',
  tag: 'tags labels keywords stichworte schlagworte etiquetas etiquettes trefwoorden',
  room: 'room raum zimmer salle sala stanza kamer pokoj zaal',
  section: 'section block vak bereich sektor bloque bloc settore zona tribune sekcja setor',
  venue: 'venue location locatie sede lieu luogo ort lugar local plaats place veranstaltungsort miejsce',
};
