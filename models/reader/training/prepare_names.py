"""Writes data/names.json: people, firms, streets, towns and numbers of each locale, from Faker and from the lists below.

    python prepare_names.py data
"""

import json
import random
import sys

from faker import Faker

from locales import LOCALES

PER_LOCALE = 700
KINDS = {
    "person": "name",
    "company": "company",
    "street": "street_address",
    "city": "city",
    "zip": "postcode",
    "phone": "phone_number",
    "job": "job",
    "iban": "iban",
}
REGIONS = ("state", "region", "province", "administrative_unit", "canton_name", "department_name")

# Faker knows no Malaysian addresses, and receipts of that kind are common.
MALAYSIA = {
    "city": "Kuala Lumpur;Petaling Jaya;Shah Alam;Johor Bahru;Ipoh;Klang;Subang Jaya;Seremban;Melaka;Georgetown;Kajang;Cheras;Puchong;Rawang;Batu Pahat;Muar;Kluang;Butterworth;Kota Bharu;Kuantan;Alor Setar;Taiping;Skudai;Nilai;Bangi;Ampang;Kepong;Gombak;Sepang;Kulai;Masai;Segamat;Kuching;Miri;Sibu;Kota Kinabalu;Sandakan;Tawau",
    "state": "Selangor;Johor;Perak;Pahang;Melaka;Negeri Sembilan;Kedah;Penang;Pulau Pinang;Kelantan;Terengganu;Sabah;Sarawak;Selangor Darul Ehsan;Johor Darul Takzim;Wilayah Persekutuan",
    "family": "Tan;Lim;Lee;Ng;Wong;Chan;Ong;Goh;Chong;Teo;Yap;Low;Ho;Liew;Khoo;Cheah;Foo;Kumar;Rajan;Muthu;Singh;Abdullah;Ismail;Hassan;Rahman;Ibrahim;Yusof;Othman;Aziz;Ahmad",
    "given": "Wei Ming;Siew Ling;Chee Keong;Mei Yee;Kah Wai;Boon Huat;Siti;Nurul;Ahmad;Mohd Faizal;Azlan;Farah;Priya;Suresh;Ravi;Kavitha;Jason;Michelle;Kelvin;Jenny;Hafiz;Aisyah;Zul;Karthik",
    "road": "Jalan;Jln;Lorong;Persiaran;Lebuh;Jalan Taman;Jalan SS;Jalan PJS;Jalan USJ;Jalan Kampung;Lebuhraya",
    "road_name": "Mawar;Melati;Kenanga;Cempaka;Bunga Raya;Indah;Sentosa;Perdana;Merdeka;Damai;Bahagia;Industri;Bukit;Setia;Harmoni;Rajawali;Permai;Seri;Mutiara;Kristal;Emas;Intan;Anggerik;Dato;Tun;Gasing;Burma;Pasar;Besar;Stesen;Sultan;Raja;Putra",
    "quarter": "Taman;Bandar;Desa;Kawasan Perindustrian;Pusat Perdagangan;Kampung;Seksyen;Pusat Bandar;Dataran",
}


def malaysian_names() -> dict[str, list[str]]:
    words = {key: value.split(";") for key, value in MALAYSIA.items()}
    pick = random.choice

    def street() -> str:
        road = f"{pick(words['road'])} {pick(words['road_name'])}"
        if random.random() < 0.6:
            road += random.choice([f" {random.randint(1, 30)}", f" {random.randint(1, 30)}/{random.randint(1, 60)}", f" {random.randint(1, 9)}{pick('ABCD')}"])
        place = random.choice([f"No. {random.randint(1, 300)}", f"No {random.randint(1, 99)}", f"Lot {random.randint(1, 9000)}", f"{random.randint(1, 200)}", f"{random.randint(1, 90)}-{pick('ABG')}", f"Lot G{random.randint(1, 99)}, Level {random.randint(1, 5)}", f"{random.randint(1, 60)}, {random.randint(61, 80)} & {random.randint(81, 99)}"])
        quarter = f", {pick(words['quarter'])} {pick(words['road_name'])}" if random.random() < 0.6 else ""
        return f"{place}, {road}{quarter}"

    count = range(PER_LOCALE)
    return {
        "person": [f"{pick(words['family'])} {pick(words['given'])}" for _ in count],
        "company": [f"{pick(words['family'])} {pick(words['given']).split()[0]} Enterprise" for _ in range(100)],
        "street": [street() for _ in count],
        "city": words["city"],
        "zip": [f"{random.randint(10000, 98999)}" for _ in count],
        "phone": [f"0{random.choice([3, 4, 5, 6, 7, 12, 16, 19])}-{random.randint(1000000, 99999999)}" for _ in count],
        "job": ["Manager", "Cashier", "Supervisor", "Clerk", "Technician"],
        "state": words["state"],
        "iban": [],
    }


def faker_names(locale: str) -> dict[str, list[str]]:
    faker = Faker(locale)
    faker.seed_instance(7)
    found: dict[str, set[str]] = {kind: set() for kind in [*KINDS, "state"]}
    for _ in range(PER_LOCALE):
        for kind, method in KINDS.items():
            value = str(getattr(faker, method)()).replace("\n", ", ").strip() if hasattr(faker, method) else ""
            if 2 < len(value) < 46:
                found[kind].add(value)
        for method in REGIONS:
            if hasattr(faker, method):
                found["state"].add(str(getattr(faker, method)()))
                break
    return {kind: sorted(values) for kind, values in found.items()}


def main(folder: str) -> None:
    random.seed(1)
    names = {locale: malaysian_names() if locale == "en_MY" else faker_names(locale) for locale in LOCALES}
    with open(f"{folder}/names.json", "w", encoding="utf8") as file:
        json.dump(names, file, ensure_ascii=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
