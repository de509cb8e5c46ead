package dev.rollcall.gateway.describe;

import dev.rollcall.wire.metrics.HealthReport;
import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;

/**
 * Knows whether the gateway is ready for agents and clients: for {@code /health/ready}, and for
 * {@code grpc.health.v1.Health} of the whole gateway, which is the service without a name.
 */
public final class HealthService {
  private static final String READY = "ready";

  private final HealthStatusManager statuses = new HealthStatusManager();
  private volatile String detail = "";

  public HealthService() {
    notReady("starting");
  }

  public BindableService service() {
    return statuses.getHealthService();
  }

  public void ready() {
    tell(READY, ServingStatus.SERVING);
  }

  /**
   * @param reason for people
   */
  public void notReady(String reason) {
    tell(reason, ServingStatus.NOT_SERVING);
  }

  private void tell(String now, ServingStatus status) {
    detail = now;
    statuses.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
  }

  /** "ready", or why not. */
  public HealthReport report() {
    String now = detail;
    return new HealthReport(now.equals(READY), "text/plain; charset=utf-8", now);
  }
}
