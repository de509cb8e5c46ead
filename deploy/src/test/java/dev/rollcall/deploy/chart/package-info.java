/** The Helm chart: rendered by Helm itself, and its manifests read. */
@NullMarked
package dev.rollcall.deploy.chart;

import org.jspecify.annotations.NullMarked;
