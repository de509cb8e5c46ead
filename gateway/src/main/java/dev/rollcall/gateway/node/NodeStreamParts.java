package dev.rollcall.gateway.node;

import dev.rollcall.gateway.audit.GatewayAudit;
import dev.rollcall.gateway.batch.BatchQuestions;
import dev.rollcall.gateway.identity.CertificateAuthenticator;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.stream.ConnectedNodes;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.port.Roll;
import dev.rollcall.wire.memory.MemoryBudget;
import io.micrometer.core.instrument.MeterRegistry;

/** The parts of the gateway that all streams of nodes use. */
public record NodeStreamParts(
    NodeStreamSettings settings,
    Roll roll,
    Workers workers,
    CertificateAuthenticator certificates,
    ConnectedNodes nodes,
    Router router,
    Identifier identifier,
    BatchQuestions batch,
    GatewayAudit audit,
    MemoryBudget memory,
    MeterRegistry registry) {}
