"""Lists coverings: few blocks in which each pair of bots meets at least once.

The table is for numbers of bots and seats for which harness knows no short balanced design. When harness
makes a schedule, it may search only for a few seconds. In this time it would find only coverings with more
blocks than the coverings of the table. A longer search found the coverings of the table, by simulated
annealing without rules for the order of blocks. After all blocks of a covering, the numbers of encounters of
two bots differ by at most 1, and the numbers of meetings of two pairs differ by at most 2. After any earlier
round, the numbers of encounters of two bots differ by at most 2, or by at most 3 with 17 to 19 bots at 5
seats.
"""

from __future__ import annotations

from harness.schedule.designs.blocks import Block

COVERINGS = {
    (14, 5): "abhij acgkn adfjm aeghl bcejk bdfgl bgimn cdfhn cfilm deikn efhkm gjkln",
    (15, 5): "abdfl abgko acdel acjmo adhin bchkn beijm bhilo cefgi dglmn dijko efhkm efjno ghjkl",
    (16, 5): "abcfg abejp abikl adkmn aghko bcdhj bjmno cekop cgijn cglmp degln dfiop efhim fhlnp fjklo",
    (17, 5): (
        "abcem adhlq afgjn aikop bcflo bchin bdgko bejpq cdjkl cgmpq defiq dlmnp eghil eknoq fhkmp hijmo"
    ),
    (18, 5): (
        "abcgn abhlr acmoq adijp aefgk bdfmp bejoq bikor cdelr cfilq chjkp dfgho dhknq ehimn elnop "
        "fjmnr gipqr gjklm"
    ),
    (19, 5): (
        "abfjl abmoq acknr adeis afghp bckps bdhin begor cdfno cehjq cgilm dgklq djmpr efhkm elnpq "
        "fiqrs gjmns hlors ijkop"
    ),
    (20, 5): (
        "acdin cgjor dhopt ahqrs cilst befkm hjlnp abklo ikmpr gknqt deflr aegps fmnos bfghi eijoq "
        "dglmq afjmt bcfpq benrt cehkm bdjks"
    ),
    (22, 5): (
        "abdem acikq afsuv aglnp ahjmo ahnrt bchpu bdflr bgitv bjnqu bknos cdmnv cegrs cejlt cfloq "
        "dektu dghlq dgiou dijps efhin efopt ejqrv fgjkm hklsv ilmru koprv mpqst"
    ),
    (23, 5): (
        "abinv aciqw adkmo aegpu afjrs ahlqt bckpt bdels bfhop bgmqr bjouw cdhjr cefmn cglov cstuw "
        "dfiqu dgjnt dprvw ehjnw eiort ejkqv fgklw fmstv ghiks hmuvw ijlmp klnru nopqs"
    ),
    (24, 5): (
        "abceg adhvx afinu ahijr ajkst almqr aopvw bdors bfgtx bhluw bikpq bjmnv cdknq cfjlo chmpt "
        "cisvw ckrux dejpu dfkmw dgilt efhqs eimox eklrv enrtw fgprv ghkno gjmsu gjqwx lnpsx oqtuv"
    ),
    (19, 6): (
        "abcers adfkqs aghiln agjmop bcdflm bchkpq bdgior bdjnpr cefijp cfgkno dehjos egmnqs ejkloq "
        "fhikmr ilpqrs"
    ),
    (20, 6): (
        "abcgjp adeoqs adhinr afhikl aghmqt bdeglr befijt bekmnq bhjlos cdfjmn cehprt cginos cjklqr "
        "dkprst fgkmor fimpqs lmnopt"
    ),
    (21, 6): (
        "abdhnt acegsu afgjmo agnpqr ahiklq bcgikt bdefij bdlmrs beopqu cdgmqu cfhlpu cjlnor dhjkop "
        "eghlrt ehkmns fiknru fjqstu imopst"
    ),
    (22, 6): (
        "abghrs abjklv acnoqu adfmqt aeiknp bcejqu bdfjnp bilmot cdhktu cfgirv chlmps denrst dfosuv "
        "dgilnu efhmnv egklmo fklqrs gjpqtv hijoqs jmopru"
    ),
    (23, 6): (
        "abekor bfmqst dgiknt ehlnps dlpruv cejtvw adfhnw abgjsu fijlmo cdjkpq cghort glmqrw anoquv "
        "behiqv bdopsw cfirsu dehkmu aiptuw fhjknr efgmpv abclmn klstvw"
    ),
    (24, 6): (
        "cdeimu agmoqs cgkrvx fjlnqu adjtvw bhlmrw noptuv afinpr cefowx dglpsx abhkux bcjpqs dhjort "
        "egrsuw biklov chinsw ehmpqv fkmstv dkpqrw abcelt gijqtx bdfghn ejkmnx"
    ),
    (21, 7): (
        "abdehpr achknpq aefijns afjklru aghjmot bcegklt bcfhmrs bemnoqu bgijqrt cdgjpsu cdikmos "
        "dflnqst fglnopr hilmptu"
    ),
    (23, 7): (
        "defjpvw gijopqr hlmrsvw iklnstu abcopuw acfgqst abehikr dfgimnw ehlpqtv ceghjou abdjlns "
        "bjkmqtw ekmnops dfhnqru acimnuv cdklort bfgklov"
    ),
    (19, 8): "abcdeghi abejlmpq acfkmnop aegopqrs bdefknqr bgimnors cdhimpqs cdhjlnor fghijkls",
    (21, 8): (
        "abcdhijp abefgkno abhjqrst acfiklst achkmnru bfghlmpu cegimoqr degjmstu dehlnopt dfjklpqr ijnopqsu"
    ),
    (24, 8): (
        "abchmopu adejknpu adjoqrsx aefgmvwx aiklmnrt bdfijmqs begiorvw bfklnotx cdkqtuvx cehlqstw "
        "cfhiprux cgjnpqrt dghklsuw hjlnpsvw"
    ),
}
"""The blocks of coverings, by the numbers of bots and seats. Each letter is a bot."""


def covering(n: int, k: int) -> list[Block]:
    """Returns the blocks of a covering, or [] if none is known here.

    >>> len(covering(17, 5))
    16
    """
    return [tuple(ord(bot) - ord("a") for bot in block) for block in COVERINGS.get((n, k), "").split()]
