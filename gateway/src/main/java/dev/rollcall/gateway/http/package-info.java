/**
 * The services of this gateway as JSON over HTTP, on the same port: what a request is in proto is
 * told by the google.api.http options of the services' methods.
 */
@NullMarked
package dev.rollcall.gateway.http;

import org.jspecify.annotations.NullMarked;
