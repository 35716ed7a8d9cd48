"""Word lists of our own for each family of fields."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words that go together; in every list the earlier words are used more often."""

    subjects: tuple[str, ...]
    """What is studied, in the plural."""
    properties: tuple[str, ...]
    """What is asked about it; used without an article."""
    methods: tuple[str, ...]
    """Means, used without an article."""
    adjectives: tuple[str, ...]
    formulas: tuple[str, ...]
    """TeX, with # for a small number."""
    measures: tuple[str, ...]
    """Something a result is measured in, after a number."""


def _list(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(","))


LEARNING = Vocabulary(
    subjects=_list(
        "language models, neural networks, transformers, image classifiers, dialogue systems, diffusion models, "
        "embeddings, attention layers, recommender systems, knowledge graphs, speech recognisers, reward models, "
        "code generators, parsers, vision encoders, tokenisers, mixture models, sparse autoencoders, agents, "
        "translation systems, question answering systems, low-resource corpora, image captions, graph networks, "
        "retrieval indexes, segmentation masks, time series, sentence encoders, summarisers, world models"
    ),
    properties=_list(
        "generalisation, robustness, calibration, sample efficiency, interpretability, alignment, faithfulness, "
        "fairness, scaling behaviour, transferability, factual accuracy, sparsity, privacy, latency, compositionality, "
        "forgetting, plasticity, uncertainty, memorisation, coherence"
    ),
    methods=_list(
        "contrastive learning, distillation, fine-tuning, self-supervision, curriculum learning, prompt tuning, "
        "low-rank adaptation, reinforcement learning, data augmentation, active learning, quantisation, pruning, "
        "variational inference, retrieval augmentation, meta-learning, adversarial training, federated averaging, "
        "masked prediction, chain decoding, ensembling, label smoothing, importance sampling, gradient surgery"
    ),
    adjectives=_list(
        "efficient, multilingual, robust, scalable, unsupervised, multimodal, few-shot, hierarchical, adaptive, "
        "interpretable, lightweight, end-to-end, long-context, self-improving, causal, weakly supervised, continual, "
        "equivariant, bilingual, noisy"
    ),
    formulas=("$k = #$", r"$\ell_2$", r"$O(n \log n)$", r"$\epsilon = 0.#$", r"$\mathbb{R}^{#}$", r"$\beta$"),
    measures=_list("% accuracy, points of F1, times fewer parameters, % of the labels, BLEU points, times less memory"),
)

ALGORITHMS = Vocabulary(
    subjects=_list(
        "sparse graphs, data streams, hash tables, distributed ledgers, approximate counters, planar graphs, "
        "key exchanges, sorting networks, suffix arrays, consensus protocols, file systems, error-correcting codes, "
        "zero-knowledge proofs, scheduling problems, spanning trees, vector databases, caches, regular expressions, "
        "query optimisers, type systems, concurrent queues, auctions, matchings, wireless channels, robots, "
        "smart contracts, memory allocators, compilers, k-median instances, side channels"
    ),
    properties=_list(
        "worst-case complexity, throughput, termination, soundness, competitive ratio, space usage, fault tolerance, "
        "security, hardness, approximability, fairness, liveness, verifiability, locality, amortised cost, "
        "communication complexity, expressiveness, parallel depth, consistency, resilience"
    ),
    methods=_list(
        "linear programming, random sampling, dynamic programming, sketching, model checking, local search, "
        "lattice reduction, kernelisation, symbolic execution, tree decompositions, primal-dual rounding, "
        "gossip, abstract interpretation, colour coding, speculative execution, lower-bound reductions, "
        "separation logic, bit-parallel simulation, erasure coding, fuzzing"
    ),
    adjectives=_list(
        "optimal, distributed, deterministic, online, near-linear, succinct, lock-free, parameterised, secure, "
        "fault-tolerant, incremental, oblivious, decentralised, verified, asynchronous, fully dynamic, cache-aware, "
        "post-quantum, streaming, tight"
    ),
    formulas=(r"$O(n \log n)$", r"$O(n^{#/2})$", r"$(1+\varepsilon)$", "$k$", r"$\Omega(\sqrt{n})$", "$2^{#k}$"),
    measures=_list("times faster, % fewer messages, million operations per second, bits per key, % less energy"),
)

ALGEBRA = Vocabulary(
    subjects=_list(
        "elliptic curves, moduli spaces, Hopf algebras, abelian varieties, random graphs, permutation groups, "
        "cluster algebras, toric varieties, modular forms, partitions, Galois representations, simplicial complexes, "
        "derived categories, matroids, hypergraphs, quadratic forms, operads, prime gaps, braid groups, K3 surfaces, "
        "knot invariants, Lie superalgebras, symmetric functions, graph colourings, Shimura varieties, "
        "perfect matchings, p-adic groups, quiver representations, tropical curves, Coxeter groups"
    ),
    properties=_list(
        "rigidity, finiteness, boundedness, rationality, irreducibility, integrality, distribution, positivity, "
        "unimodality, connectivity, purity, extremality, semistability, formality, torsion, regularity, density, "
        "growth, vanishing, decomposability"
    ),
    methods=_list(
        "spectral sequences, deformation theory, the circle method, generating functions, wall crossing, descent, "
        "intersection theory, the probabilistic method, Hodge theory, sieve methods, degeneration, representation "
        "theory, combinatorial bijections, homological algebra, flag algebras, localisation, explicit computation, "
        "ergodic arguments, patching, tropicalisation"
    ),
    adjectives=_list(
        "arithmetic, effective, explicit, equivariant, derived, motivic, finite, generic, non-commutative, "
        "higher-dimensional, stable, uniform, universal, graded, hyperbolic, cuspidal, sharp, relative, twisted, "
        "integral"
    ),
    formulas=(
        r"$\mathbb{Q}(\sqrt{#})$",
        r"$\mathrm{GL}_#$",
        "$n > #$",
        r"$\mathbb{P}^#$",
        "$p$-adic",
        r"$H^#(X, \mathbb{Z})$",
        r"$\zeta(#)$",
        r"$K_{#,#}$",
    ),
    measures=_list("new examples, exceptional cases, isomorphism classes, orbits"),
)

ANALYSIS = Vocabulary(
    subjects=_list(
        "random walks, stochastic equations, Markov chains, branching processes, Schrödinger operators, random "
        "matrices, minimal surfaces, Sobolev spaces, percolation clusters, semilinear equations, Gaussian fields, "
        "free boundaries, conservation laws, interacting particles, optimal transport maps, Brownian motions, wave "
        "maps, singular integrals, mean-field games, Fokker-Planck equations, spin glasses, harmonic maps, transfer "
        "operators, Lévy processes, integrable hierarchies, viscosity solutions, nodal sets, coalescents"
    ),
    properties=_list(
        "well-posedness, convergence, ergodicity, regularity, concentration, asymptotics, uniqueness, decay, mixing, "
        "localisation, large deviations, blow-up, universality, stability, compactness, hydrodynamic limits, "
        "homogenisation, dispersion, recurrence, controllability"
    ),
    methods=_list(
        "energy estimates, coupling, martingale arguments, the method of moments, compactness, Malliavin calculus, "
        "renormalisation, monotonicity formulas, entropy methods, microlocal analysis, Fourier restriction, "
        "duality, Lyapunov functions, chaining, resolvent expansions, convex integration, barrier constructions, "
        "replica arguments, multiscale analysis, finite elements"
    ),
    adjectives=_list(
        "nonlinear, critical, global, singular, quenched, sharp, degenerate, supercritical, non-local, fractional, "
        "stationary, rough, quantitative, sub-Gaussian, heavy-tailed, anisotropic, periodic, radial, weak, "
        "time-dependent"
    ),
    formulas=(
        r"$L^#$",
        r"$\partial_t u = \Delta u + u^#$",
        r"$d \geq #$",
        r"$W^{#,p}$",
        r"$\alpha \in (0, #)$",
        r"$\mathbb{E}[X^#] < \infty$",
        r"$t \to \infty$",
    ),
    measures=_list("orders of magnitude, moments, exceptional energies"),
)

PARTICLES = Vocabulary(
    subjects=_list(
        "black holes, gauge theories, heavy quarks, neutrino oscillations, dark photons, conformal field theories, "
        "scattering amplitudes, branes, axions, parton distributions, Wilson loops, string vacua, top quark pairs, "
        "flavour anomalies, instantons, leptoquarks, jets, supergravity solutions, sterile neutrinos, Higgs decays, "
        "matrix models, lattice fermions, gravitational waves, holographic duals, exotic hadrons, magnetic monopoles, "
        "anomalies, effective actions, nuclear collisions, cosmic strings"
    ),
    properties=_list(
        "entanglement entropy, production, confinement, unitarity, mass spectrum, polarisation, chiral symmetry, "
        "moduli stabilisation, CP violation, thermodynamics, integrability, renormalisation, anisotropic flow, "
        "lifetime, quasinormal modes, mixing, duality, causality, stability, cross section"
    ),
    methods=_list(
        "perturbation theory, lattice simulations, the bootstrap, dispersion relations, effective field theory, "
        "holography, resummation, sum rules, unfolding, recursion relations, boosted decision trees, localisation, "
        "Monte Carlo sampling, global fits, the double copy, functional renormalisation, template fits, "
        "spectral functions, machine learning, twistor geometry"
    ),
    adjectives=_list(
        "supersymmetric, precise, holographic, non-perturbative, charged, rotating, two-loop, exotic, inclusive, "
        "thermal, higher-spin, long-lived, primordial, differential, chiral, massive, extremal, topological, "
        "next-to-leading-order, light"
    ),
    formulas=(
        r"$\mathcal{N}=#$",
        r"$\sqrt{s} = 13$ TeV",
        r"$\mathrm{SU}(#)$",
        r"$\mathrm{AdS}_#$",
        r"$B \to K^{*} \mu^+\mu^-$",
        r"$\Lambda_{\mathrm{QCD}}$",
        r"$D=#$",
        r"$\mathcal{O}(\alpha_s^#)$",
        r"$\theta_{13}$",
    ),
    measures=_list("GeV, fb$^{-1}$ of data, standard deviations, % uncertainty, loops"),
)

COSMOS = Vocabulary(
    subjects=_list(
        "galaxies, exoplanets, supernovae, active nuclei, dark matter haloes, neutron stars, quasars, stellar streams, "
        "white dwarfs, protoplanetary discs, galaxy clusters, fast radio bursts, brown dwarfs, globular clusters, "
        "molecular clouds, pulsars, cosmic voids, red giants, gamma-ray bursts, dwarf galaxies, compact binaries, "
        "accretion discs, lensed arcs, stellar spots, comets, radio relics, magnetars, dust grains, blazars, mirrors"
    ),
    properties=_list(
        "star formation, metallicity, rotation, clustering, variability, luminosity function, morphology, dynamics, "
        "chemical evolution, atmospheric escape, magnetic fields, lensing, polarisation, reionisation, mass loss, "
        "quenching, age, feedback, obliquity, redshift evolution"
    ),
    methods=_list(
        "spectroscopy, photometric surveys, hydrodynamical simulations, weak lensing, transit timing, "
        "asteroseismology, Bayesian inference, adaptive optics, interferometry, stacking, radial velocities, "
        "spectral fitting, X-ray imaging, semi-analytic models, radiative transfer, machine classification, N-body "
        "simulations, astrometry, cross-correlation, drift scans"
    ),
    adjectives=_list(
        "nearby, massive, high-redshift, faint, metal-poor, young, dusty, quiescent, eccentric, compact, luminous, "
        "transiting, obscured, ultra-diffuse, isolated, magnetised, rapidly rotating, interacting, old, hot"
    ),
    formulas=(
        "$z = #.2$",
        r"$10^{#}\,M_\odot$",
        r"$\Lambda$CDM",
        r"$H_0$",
        r"$f_{\mathrm{NL}}$",
        r"[Fe/H] $< -#$",
        r"$\sigma_8$",
    ),
    measures=_list("kpc, days, solar masses, mag, km/s, Mpc, sources"),
)

MATTER = Vocabulary(
    subjects=_list(
        "topological insulators, superconductors, spin liquids, graphene bilayers, quantum dots, perovskites, "
        "skyrmions, thin films, granular packings, nanowires, polymer melts, Mott insulators, ferroelectrics, "
        "active colloids, Josephson junctions, heavy fermions, moiré lattices, amorphous alloys, magnons, "
        "charge density waves, domain walls, Weyl semimetals, glasses, antiferromagnets, catalysts, membranes, "
        "excitons, optical lattices, dislocations, kagome metals"
    ),
    properties=_list(
        "transport, conductivity, magnetism, phase transitions, superconductivity, thermal conductance, elasticity, "
        "band structure, criticality, relaxation, disorder, anisotropy, strain response, magnetoresistance, "
        "jamming, spin dynamics, hysteresis, screening, frustration, adhesion"
    ),
    methods=_list(
        "density functional theory, neutron scattering, tensor networks, quantum Monte Carlo, scanning tunnelling, "
        "molecular dynamics, photoemission, mean-field theory, exact diagonalisation, Raman spectroscopy, "
        "pump-probe experiments, renormalisation, X-ray diffraction, dynamical mean-field theory, ellipsometry, "
        "muon rotation, machine-learned potentials, magnetometry, rheology, epitaxial growth"
    ),
    adjectives=_list(
        "two-dimensional, frustrated, doped, topological, strongly correlated, ultrathin, disordered, layered, "
        "chiral, low-temperature, strained, ferromagnetic, twisted, driven, unconventional, gapless, metallic, soft, "
        "van der Waals, incommensurate"
    ),
    formulas=(
        "$T_c$",
        r"MoS$_2$",
        r"$\mathbb{Z}_#$",
        r"YBa$_2$Cu$_3$O$_{7-\delta}$",
        r"$S = #/2$",
        r"$k_{\mathrm{B}}T$",
        r"$\nu = 1/#$",
    ),
    measures=_list("K, meV, nm, tesla, GPa, % strain"),
)

QUANTUM = Vocabulary(
    subjects=_list(
        "qubits, entangled states, quantum circuits, photon pairs, trapped ions, stabiliser codes, frequency combs, "
        "quantum channels, optical cavities, squeezed states, Rydberg atoms, metasurfaces, quantum walks, waveguides, "
        "open systems, Bell inequalities, single-photon sources, thermal machines, microwave resonators, solitons, "
        "variational circuits, ultracold gases, random unitaries, optomechanical oscillators, fibre lasers, clocks, "
        "graph states, nitrogen-vacancy centres, contextuality scenarios, beam splitters"
    ),
    properties=_list(
        "coherence, fidelity, entanglement, decoherence, contextuality, sensitivity, controllability, error rate, "
        "distillation, nonlocality, thermalisation, phase noise, steering, simulability, scrambling, bandwidth, "
        "magic, indistinguishability, gate depth, cooling"
    ),
    methods=_list(
        "error correction, tomography, dynamical decoupling, optimal control, randomised benchmarking, post-selection, "
        "weak measurement, adiabatic evolution, homodyne detection, semidefinite programming, tensor contraction, "
        "sideband cooling, classical shadows, feedback, phase estimation, four-wave mixing, master equations, "
        "zero-noise extrapolation, lattice surgery, inverse design"
    ),
    adjectives=_list(
        "fault-tolerant, entangled, noisy, non-Markovian, measurement-based, device-independent, integrated, "
        "continuous-variable, ultrafast, dissipative, high-fidelity, many-body, multiphoton, heralded, robust, "
        "cavity-enhanced, time-resolved, scalable, nonclassical, tunable"
    ),
    formulas=(
        r"$|\psi\rangle$",
        r"$[[n,k,#]]$",
        r"$\chi^{(#)}$",
        r"$\mathrm{CNOT}$",
        r"$T_2^{*}$",
        r"$2^{#}$",
        r"$\rho_{AB}$",
        r"$\langle \sigma_z \rangle$",
    ),
    measures=_list("% fidelity, dB of squeezing, microseconds, qubits, GHz, photons per second"),
)

FLOWS = Vocabulary(
    subjects=_list(
        "turbulent flows, vortices, droplets, shear layers, plasmas, sediment beds, shallow water waves, bubbles, "
        "jets, coupled oscillators, ocean eddies, chaotic maps, swirling flames, thin liquid films, shock waves, "
        "microswimmers, convection cells, tidal currents, wakes, monsoon circulations, reaction fronts, breathers, "
        "aerosols, pulse-coupled networks, magnetic islands, ice sheets, porous media, rogue waves"
    ),
    properties=_list(
        "instability, drag, mixing, intermittency, heat transfer, synchronisation, dissipation, energy cascade, "
        "stratification, predictability, wetting, transition, bifurcations, dispersion, turbulence, entrainment, "
        "coalescence, confinement, circulation, extreme events"
    ),
    methods=_list(
        "direct numerical simulation, large-eddy simulation, particle tracking, linear stability analysis, "
        "data assimilation, lattice Boltzmann methods, modal decomposition, gyrokinetics, laboratory experiments, "
        "asymptotic expansions, recurrence analysis, reduced-order models, satellite altimetry, symbolic regression, "
        "adjoint optimisation, boundary integrals, wavelets, laser Doppler measurements"
    ),
    adjectives=_list(
        "turbulent, stratified, rotating, compressible, viscous, inertial, chaotic, multiphase, wall-bounded, "
        "viscoelastic, buoyant, transient, supersonic, coupled, geostrophic, laminar, self-similar, intermittent, "
        "magnetised, shallow"
    ),
    formulas=(
        r"$Re = 10^{#}$",
        r"$k^{-5/3}$",
        "$Ra$",
        r"$\mathrm{Pr} = #$",
        r"$\nabla \cdot \mathbf{u} = 0$",
        "$We < #$",
    ),
    measures=_list("% drag reduction, m/s, km, Pa, turnover times"),
)

LIFE = Vocabulary(
    subjects=_list(
        "epidemics, neural circuits, gene networks, microbial communities, protein folds, migrating cells, "
        "phylogenies, tumours, predator-prey systems, ion channels, cortical maps, bacterial colonies, vaccination "
        "campaigns, membrane proteins, single-cell atlases, genomes, synapses, pollinator networks, enzymes, place "
        "cells, antibody repertoires, fisheries, metabolic pathways, biofilms, motor proteins, infection waves, "
        "chromatin loops"
    ),
    properties=_list(
        "evolution, transmission, persistence, plasticity, diversity, growth, cooperation, extinction, resistance, "
        "selection, connectivity, robustness, dispersal, adaptation, signalling, heritability, differentiation, "
        "morphogenesis, fitness, senescence"
    ),
    methods=_list(
        "agent-based models, sequence alignment, Bayesian phylogenetics, calcium imaging, compartment models, "
        "stochastic simulation, network analysis, deep mutational scans, approximate Bayesian computation, "
        "cryo-electron microscopy, game theory, lineage tracing, flux balance analysis, dimensionality reduction, "
        "field surveys, optogenetics, coalescent theory, spatial statistics"
    ),
    adjectives=_list(
        "seasonal, spatial, adaptive, age-structured, stochastic, heterogeneous, invasive, recurrent, single-cell, "
        "evolutionary, cortical, endemic, mechanistic, fluctuating, clonal, symbiotic, early, asymptomatic, dendritic, "
        "tropical"
    ),
    formulas=("$R_0 = #$", r"$\beta / \gamma$", r"$N_e$", "$p < 0.0#$", r"$\lambda = #$"),
    measures=_list("generations, cases per week, % of hosts, species, Hz"),
)

SOCIETY = Vocabulary(
    subjects=_list(
        "panel data, option prices, treatment effects, random forests, portfolios, graphical models, auctions, "
        "volatility surfaces, instrumental variables, survival curves, credit networks, causal graphs, order books, "
        "time series, labour markets, hierarchical models, climate risks, clinical trials, school choices, factor "
        "models, functional data, voting rules, extreme losses, matching markets, mixture models, nowcasts, spatial "
        "fields"
    ),
    properties=_list(
        "identification, consistency, efficiency, risk, inference, calibration, robustness, equilibrium, power, "
        "coverage, inequality, dependence, hedging, model selection, missing data, contagion, sensitivity, liquidity, "
        "sparsity, shrinkage"
    ),
    methods=_list(
        "maximum likelihood, the bootstrap, kernel smoothing, conformal prediction, Gaussian processes, synthetic "
        "controls, sequential Monte Carlo, penalised regression, copulas, optimal stopping, empirical likelihood, "
        "difference in differences, variational Bayes, cross-validation, doubly robust estimation, quantile "
        "regression, change-point detection, mechanism design, stochastic control, regularisation"
    ),
    adjectives=_list(
        "high-dimensional, robust, semiparametric, Bayesian, heterogeneous, nonparametric, dynamic, conditional, "
        "optimal, sequential, latent, sparse, rough, spatial, distributed, minimax, censored, doubly robust, tail, "
        "seasonal"
    ),
    formulas=(r"$\sqrt{n}$", r"$p \gg n$", r"$\chi^2_#$", r"$\hat{\beta}$", r"$\alpha = 0.0#$", r"$O_p(n^{-1/#})$"),
    measures=_list("% coverage, basis points, observations, % of the variance, quarters"),
)

SIGNALS = Vocabulary(
    subjects=_list(
        "antenna arrays, radar echoes, speech signals, power grids, sensor networks, medical images, microphone "
        "arrays, channel estimates, control loops, compressed measurements, vehicle platoons, hyperspectral images, "
        "beamformers, drones, smart meters, electrocardiograms, ultrasound scans, reconfigurable surfaces, filters, "
        "millimetre-wave links, energy storage systems, tomograms, sampling schemes, converters, singing voices"
    ),
    properties=_list(
        "spectral efficiency, reconstruction, stability, latency, localisation, robustness, denoising, estimation "
        "error, observability, interference, resolution, sparsity, reliability, synchronisation, separation, safety, "
        "passivity, outage, intelligibility, coverage"
    ),
    methods=_list(
        "compressed sensing, Kalman filtering, beamforming, deep unfolding, model predictive control, "
        "subspace tracking, message passing, convex relaxation, sliding modes, dictionary learning, phase retrieval, "
        "reachability analysis, blind deconvolution, droop control, graph signal processing, dithering, "
        "matched filtering, alternating minimisation, event-triggered sampling, spectral masking"
    ),
    adjectives=_list(
        "massive, wideband, distributed, low-complexity, real-time, sparse, resilient, cooperative, multi-user, "
        "data-driven, energy-efficient, full-duplex, event-triggered, one-bit, robust, blind, near-field, adaptive, "
        "decentralised, hybrid"
    ),
    formulas=(r"$H_\infty$", "$#N$", r"$\ell_1$", r"$\mathrm{SNR} > #$ dB", r"$\mathcal{L}_#$", r"$M \times N$"),
    measures=_list("dB, bits/s/Hz, ms, % lower error, MHz"),
)
