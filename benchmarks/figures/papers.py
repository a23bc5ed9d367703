"""Paper: what the figures of a module are compared with, and which of our pages is about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A publication; `name` is the module that draws its figures and, without a `page`, the page of its threat."""

    name: str
    authors: str
    title: str
    where: str
    threat: str
    data: str  # what ours are drawn from; ADULT stands for the table or what stands in for it

    page: str = ""  # of the threat, where it has another name

    @property
    def of_threat(self) -> str:
        """The name of the page that is about its threat."""
        return self.page or self.name

    @property
    def citation(self) -> str:
        return f'{self.authors}: "{self.title}", {self.where}.'

    def data_used(self, adult: bool) -> str:
        """Name the data: the Adult table, or our generator where it is not at hand."""
        return self.data.replace("ADULT", "Adult (UCI)" if adult else "our census generator, in place of Adult")


PAPERS = (
    Paper(
        name="skew",
        authors="Yabo Xu, Ke Wang, Ada Wai-Chee Fu, Raymond Chi-Wing Wong",
        title="Publishing Skewed Sensitive Microdata",
        where="SIAM International Conference on Data Mining, 2010",
        threat="one sensitive value is too frequent",
        data="occupation in ADULT; frequencies by formula",
    ),
    Paper(
        name="risk",
        authors="Marmar Orooji, Gerald M. Knapp",
        title="Improving Suppression to Reduce Disclosure Risk and Enhance Data Utility",
        where="Louisiana State University, undated (its references end in 2018)",
        threat="any subset of attributes is known",
        data="our students and hospital generators; the paper's table is confidential",
    ),
    Paper(
        name="marginals",
        authors="Xianmang He, Yanghua Xiao, Wei Wang and others",
        title="Dynamic Anonymization for Marginal Publication",
        where="Fudan University, slides, undated (their references end in 2009)",
        threat="several releases of one table",
        data="our census generator; the slides do not say where their 600,000 rows are from",
    ),
    Paper(
        name="changing",
        authors="Xiaokui Xiao, Yufei Tao",
        title="m-Invariance: Towards Privacy Preserving Re-publication of Dynamic Datasets",
        where="SIGMOD 2007",
        threat="several releases of a table that changes",
        data="our census generator; claims are our own goals, because the paper's text is not at hand",
        page="marginals",
    ),
    Paper(
        name="distribution",
        authors="Raymond Chi-Wing Wong, Ada Wai-Chee Fu, Ke Wang, Yabo Xu, Jian Pei, Philip S. Yu",
        title="Anonymization with Worst-Case Distribution-Based Background Knowledge",
        where="arXiv 0909.1127, 2009",
        threat="the distribution of the sensitive value is known",
        data="ADULT",
    ),
    Paper(
        name="quasi_sensitive",
        authors="Pu Shi, Li Xiong, Benjamin C. M. Fung",
        title="Anonymizing Data with Quasi-Sensitive Attribute Values",
        where="CIKM 2010",
        threat="harmless items are linked to a hidden label",
        data="ADULT, with random items and labels, as in the paper",
    ),
    Paper(
        name="learning",
        authors="Daniel Kifer",
        title="Attacks on Privacy and deFinetti's Theorem",
        where="SIGMOD 2009",
        threat="a reader learns from the release itself",
        data="ADULT, and our hospital generator",
    ),
)
