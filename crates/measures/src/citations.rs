//! Citations that several measures share.

use crate::info::Citation;

/// Set measures: precision, recall, F.
pub const VAN_RIJSBERGEN: Citation = Citation {
    text: "van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7, Butterworths.",
    bibtex: "@book{vanrijsbergen1979, author={C. J. van Rijsbergen}, title={Information Retrieval}, \
             edition={2nd}, publisher={Butterworths}, year={1979}}",
};

/// Ranked measures of the textbooks.
pub const MANNING: Citation = Citation {
    text: "Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8, Cambridge.",
    bibtex: "@book{manning2008, author={Christopher D. Manning and Prabhakar Raghavan and Hinrich Sch{\\\"u}tze}, \
             title={Introduction to Information Retrieval}, publisher={Cambridge University Press}, year={2008}}",
};

/// Average precision and the measures of the first TRECs.
pub const HARMAN: Citation = Citation {
    text: "Harman (1992), Evaluation issues in information retrieval, IP&M 28(4).",
    bibtex: "@article{harman1992, author={Donna Harman}, title={Evaluation issues in information retrieval}, \
             journal={Information Processing \\& Management}, volume={28}, number={4}, year={1992}}",
};

/// Measures and counts defined by TREC practice.
pub const BUCKLEY_VOORHEES_2005: Citation = Citation {
    text: "Buckley and Voorhees (2005), Retrieval system evaluation, in TREC: Experiment and Evaluation in Information \
           Retrieval, chapter 3, MIT Press.",
    bibtex: "@incollection{buckley2005, author={Chris Buckley and Ellen M. Voorhees}, title={Retrieval system \
             evaluation}, booktitle={TREC: Experiment and Evaluation in Information Retrieval}, chapter={3}, \
             publisher={MIT Press}, year={2005}}",
};

/// Binary preference.
pub const BUCKLEY_VOORHEES_2004: Citation = Citation {
    text: "Buckley and Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR.",
    bibtex: "@inproceedings{buckley2004, author={Chris Buckley and Ellen M. Voorhees}, title={Retrieval evaluation \
             with incomplete information}, booktitle={SIGIR}, pages={25--32}, year={2004}}",
};

/// Cumulated gain.
pub const JARVELIN: Citation = Citation {
    text: "Jarvelin and Kekalainen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4).",
    bibtex: "@article{jarvelin2002, author={Kalervo J{\\\"a}rvelin and Jaana Kek{\\\"a}l{\\\"a}inen}, title={Cumulated \
             gain-based evaluation of {IR} techniques}, journal={ACM Transactions on Information Systems}, \
             volume={20}, number={4}, year={2002}}",
};

/// Expected reciprocal rank.
pub const CHAPELLE: Citation = Citation {
    text: "Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM.",
    bibtex: "@inproceedings{chapelle2009, author={Olivier Chapelle and Donald Metzler and Ya Zhang and Pierre \
             Grinspan}, title={Expected reciprocal rank for graded relevance}, booktitle={CIKM}, \
             pages={621--630}, year={2009}}",
};

/// Geometric means over topics.
pub const ROBERTSON_2006: Citation = Citation {
    text: "Robertson (2006), On GMAP: and other transformations, CIKM.",
    bibtex: "@inproceedings{robertson2006, author={Stephen Robertson}, title={On {GMAP}: and other transformations}, \
             booktitle={CIKM}, pages={78--83}, year={2006}}",
};

/// Measures that exist in trec_eval only.
pub const TREC_EVAL: Citation = Citation {
    text: "NIST, trec_eval (experimental measure by Chris Buckley, 2008), https://github.com/usnistgov/trec_eval.",
    bibtex: "@misc{treceval, author={{NIST}}, title={trec\\_eval}, \
             howpublished={\\url{https://github.com/usnistgov/trec_eval}}}",
};

/// The tool whose names karat follows, and where Judged@k was given its present form.
pub const IR_MEASURES: Citation = Citation {
    text: "MacAvaney, Macdonald and Ounis (2022), Streamlining evaluation with ir-measures, ECIR.",
    bibtex: "@inproceedings{macavaney2022, author={Sean MacAvaney and Craig Macdonald and Iadh Ounis}, \
             title={Streamlining Evaluation with ir-measures}, booktitle={ECIR}, year={2022}}",
};

/// Stratified samples: xinfAP and infNDCG.
pub const YILMAZ_2008: Citation = Citation {
    text: "Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR.",
    bibtex: "@inproceedings{yilmaz2008, author={Emine Yilmaz and Evangelos Kanoulas and Javed A. Aslam}, title={A simple \
             and efficient sampling method for estimating {AP} and {NDCG}}, booktitle={SIGIR}, pages={603--610}, \
             year={2008}}",
};

/// Estimates from unequal probabilities.
pub const HORVITZ_THOMPSON: Citation = Citation {
    text: "Horvitz and Thompson (1952), A generalization of sampling without replacement from a finite universe, JASA \
           47(260).",
    bibtex: "@article{horvitz1952, author={D. G. Horvitz and D. J. Thompson}, title={A generalization of sampling without \
             replacement from a finite universe}, journal={Journal of the American Statistical Association}, volume={47}, \
             number={260}, pages={663--685}, year={1952}}",
};
