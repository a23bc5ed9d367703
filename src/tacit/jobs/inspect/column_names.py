"""Names of columns in German, French, Spanish, Portuguese, Italian and Dutch: words that say what a column is.

English stands with the guesses. Words are written without accents and in small letters, as `plain` makes them; those of
a few letters must stand alone, for they are in many other words.
"""

from __future__ import annotations

import unicodedata


def plain(name: str) -> str:
    """Write a name in small letters without accents.

    Examples
    --------
    >>> plain("Größe_Età"), plain("Année")
    ('grosse_eta', 'annee')
    """
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def _alone(words: str) -> str:
    return rf"(?:^|[^a-z])(?:{words})(?:$|[^a-z])"


IDENTIFIER = "|".join(
    (
        r"vorname|nachname|familienname|anschrift|strasse|telefon|hausarzt",  # German
        r"prenom|adresse|telephone|numero_secu",  # French
        r"nombre|apellido|direccion|telefono",  # Spanish
        r"sobrenome|apelido|endereco|morada|telefone",  # Portuguese
        r"cognome|indirizzo|codice_?fiscale",  # Italian
        r"voornaam|achternaam|straat|telefoon",  # Dutch
        _alone("nom|rue|dni|nif|nome|rua|cpf|via|naam|adres|bsn"),
    )
)
"""Words for what names a person."""

SENSITIVE = "|".join(
    (
        r"krank|einkommen|gehalt|lohn|konfession|partei|medikament|behandlung|todesursache|schulden|behinder|straftat",
        r"maladie|revenu|salaire|traitement|medicament|handicap|delit|infraction",
        r"enfermedad|ingresos|salario|sueldo|partido|tratamiento|sintoma|causa|discapacidad|deuda|delito",
        r"doenca|rendimento|tratamento|deficiencia|divida",
        r"malattia|patologia|reddito|stipendio|partito|farmaco|terapia|sintomo|disabilita|debito|reato",
        r"ziekte|aandoening|inkomen|salaris|godsdienst|medicijn|geneesmiddel|behandeling|symptoom|klacht|oorzaak",
        _alone("leiden|renta|renda|parti|partij|loon|geloof|schuld|misdrijf|delict|dette"),
    )
)
"""Words for what a person would not tell."""

QUASI = "|".join(
    (
        r"geburt|geschlecht|wohnort|stadt|gemeinde|landkreis|bundesland|staatsang|nationalit|familienstand|beruf|bildung|"
        r"schul|groesse|grosse|gewicht|datum|aufnahme|entlassung|haushalt|sprache|herkunft",
        r"naissance|ville|commune|departement|etat_?civil|situation_?famil|etudes|profession|taille|poids|annee|menage",
        r"edad|nacimiento|genero|ciudad|municipio|provincia|nacionalidad|estado_?civil|educacion|estudios|profesion|"
        r"altura|fecha|idioma|hogar",
        r"idade|nascimento|cidade|escolaridade|profissao|codigo_?postal",
        r"nascita|genere|citta|comune|paese|nazionalita|cittadinanza|stato_?civile|istruzione|titolo_?di_?studio|"
        r"professione|altezza",
        r"leeftijd|geboorte|geslacht|woonplaats|gemeente|provincie|burgerlijke|opleiding|beroep|lengte|huishoud",
        _alone(
            "alter|plz|ort|kreis|jahr|monat|sexe|genre|pays|mois|sexo|pais|talla|peso|ano|anio|mes|cep|data|distrito|"
            "lingua|eta|sesso|cap|anno|mese|stad|land|jaar|maand|taal|langue"
        ),
    )
)
"""Words for what an outsider may know."""
