"""What the office counts: six topics, eight subjects each."""

from dataclasses import dataclass

from filon.demo.words import Both, both


@dataclass(frozen=True, slots=True)
class Topic:
    """A field of statistics with the subjects that have a dataset."""

    key: str
    name: Both
    subjects: tuple[Both, ...]


TOPICS = (
    Topic(
        "population",
        both("Population", "Population"),
        (
            both("Population by age and sex", "Population par âge et sexe"),
            both("Births and fertility", "Naissances et fécondité"),
            both("Deaths by cause", "Décès par cause"),
            both("Marriages and partnerships", "Mariages et unions"),
            both("Households by size", "Ménages selon la taille"),
            both("Migration between regions", "Migrations entre régions"),
            both("Population projections", "Projections de population"),
            both("First names given", "Prénoms donnés"),
        ),
    ),
    Topic(
        "economy",
        both("Economy", "Économie"),
        (
            both("Consumer price index", "Indice des prix à la consommation"),
            both("Gross domestic product", "Produit intérieur brut"),
            both("New enterprises", "Créations d'entreprises"),
            both("Foreign trade in goods", "Commerce extérieur de biens"),
            both("Hotel nights", "Nuitées hôtelières"),
            both("Industrial production", "Production industrielle"),
            both("Retail turnover", "Chiffre d'affaires du commerce de détail"),
            both("Public debt", "Dette publique"),
        ),
    ),
    Topic(
        "labour",
        both("Work and pay", "Travail et salaires"),
        (
            both("Unemployment rate", "Taux de chômage"),
            both("Wages by occupation", "Salaires par profession"),
            both("Job vacancies", "Emplois vacants"),
            both("Working hours", "Durée du travail"),
            both("Accidents at work", "Accidents du travail"),
            both("Employment by industry", "Emploi par branche"),
            both("Commuting to work", "Trajets domicile-travail"),
            both("Apprentices", "Apprentis"),
        ),
    ),
    Topic(
        "health",
        both("Health", "Santé"),
        (
            both("Hospital beds", "Lits d'hôpital"),
            both("Doctors and nurses", "Personnel médical et infirmier"),
            both("Vaccination coverage", "Couverture vaccinale"),
            both("Health expenditure", "Dépenses de santé"),
            both("Life expectancy", "Espérance de vie"),
            both("Smoking and alcohol", "Tabac et alcool"),
            both("Emergency admissions", "Admissions aux urgences"),
            both("Places in care homes", "Places en maison de retraite"),
        ),
    ),
    Topic(
        "environment",
        both("Environment", "Environnement"),
        (
            both("Air quality", "Qualité de l'air"),
            both("Waste collected", "Déchets collectés"),
            both("Water abstraction", "Prélèvements d'eau"),
            both("Greenhouse gas emissions", "Émissions de gaz à effet de serre"),
            both("Protected areas", "Espaces protégés"),
            both("Forest area", "Surface forestière"),
            both("Renewable electricity", "Électricité renouvelable"),
            both("River temperature", "Température des rivières"),
        ),
    ),
    Topic(
        "education",
        both("Education", "Éducation"),
        (
            both("Pupils by school", "Élèves par école"),
            both("Students in higher education", "Étudiants du supérieur"),
            both("Teachers by age", "Enseignants par âge"),
            both("School results", "Résultats scolaires"),
            both("Adult learning", "Formation des adultes"),
            both("Public libraries", "Bibliothèques publiques"),
            both("Early childhood places", "Places d'accueil de la petite enfance"),
            both("Research spending", "Dépenses de recherche"),
        ),
    ),
)
